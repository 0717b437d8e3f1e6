// Reading a history: first the whole file is checked, then its records are credited, so that a refused one changes
// nothing (R07, R20).
#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string_view>

#include "engine.hpp"

namespace {

const std::array<const char *, 7> KNOWN = {"glm_moe_dsa", "inkling",     "olmoe", "kimi_k3",
                                           "qwen38",      "deepseek_v4", "glm53"};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// A plain decimal within low..high at the beginning of `text`, which is cut off it; anything else is no number, and
// never another one (R21).
bool number(std::string_view &text, std::int64_t low, std::int64_t high, std::int64_t &value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || value < low || value > high)
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return text.empty() || is_blank(text.front());
}

void skip_blanks(std::string_view &text)
{
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
}

std::int64_t little_endian(const char *bytes)
{
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; i--)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

template <typename Record> std::vector<Record> parse(std::istream &file)
{
    std::vector<Record> records;
    for (std::string line; std::getline(file, line);) {
        std::string_view text = line;
        if (!text.empty() && text.back() == '\r')
            text.remove_suffix(1);
        skip_blanks(text);
        if (text.empty())
            continue;  // a blank line (R12)
        std::int64_t first, second, third;
        bool sound = number(text, INT32_MIN, INT32_MAX, first);
        skip_blanks(text);
        sound = sound && number(text, INT32_MIN, INT32_MAX, second);
        skip_blanks(text);
        sound = sound && number(text, 0, UINT32_MAX, third);
        skip_blanks(text);
        if (!sound || !text.empty())
            break;  // reading stops at a line that is no record (R23)
        records.emplace_back(first, second, third);
    }
    return records;
}

}  // namespace

std::optional<std::uint64_t> Engine::read(const std::string &path, bool trusted)
{
    try {
        std::uint64_t total = 0;
        for (const auto &[layer, expert, count] : accepted(path, trusted))
            if (credit(static_cast<int>(layer), static_cast<int>(expert), static_cast<std::uint32_t>(count)))
                total += static_cast<std::uint64_t>(count);  // accepted records only (R09)
        return total;
    } catch (const Refusal &refusal) {
        std::cerr << "[USAGE] " << path << ": refusing: " << refusal.what() << '\n';
        std::error_code unknown;
        const auto real = std::filesystem::canonical(path, unknown).string();
        if (!unknown)
            refused_.insert(real);
        return std::nullopt;
    }
}

// The data records of a file that passes every check.
std::vector<Engine::Record> Engine::accepted(const std::string &path, bool trusted) const
{
    if (!std::filesystem::exists(path))
        return {};  // a missing history is an empty one (R24)
    std::ifstream file(path, std::ios::binary);
    if (!file || !std::filesystem::is_regular_file(path))
        throw Refusal("it cannot be read");
    char magic[4];
    if (file.read(magic, sizeof magic) && std::memcmp(magic, "IKU1", sizeof magic) == 0)
        return iku1(file, path, trusted);
    file.clear();
    file.seekg(0);
    auto records = parse<Record>(file);
    check_header(records, path, trusted);
    const auto is_header = [](const Record &record) { return std::get<0>(record) < 0; };
    records.erase(std::remove_if(records.begin(), records.end(), is_header), records.end());
    return records;
}

// Every -1 and -2, wherever they stand; records from -3 down are skipped (R02-R06, R20).
void Engine::check_header(const std::vector<Record> &records, const std::string &path, bool trusted) const
{
    std::string whose = "an engine it does not name";
    for (const auto &[number, second, third] : records)
        if (number == -2)
            whose = writer(static_cast<std::uint32_t>(third));
    for (const auto &[number, version, id] : records)
        if (number == -2 && version != FORMAT_VERSION)
            throw Refusal("written by " + whose + " in format version " + std::to_string(version) +
                          ", this engine, " + name_ + ", reads version " + std::to_string(FORMAT_VERSION));
    for (const auto &[number, n_layers, n_experts] : records)
        if (number == -1)
            check_dimensions(n_layers, n_experts, whose);
    for (const auto &[number, version, id] : records)
        if (number == -2)
            check_identity(static_cast<std::uint32_t>(id), path, trusted);
}

// Trust does not relax this one (R03, I03).
void Engine::check_dimensions(std::int64_t n_layers, std::int64_t n_experts, const std::string &whose) const
{
    if (n_layers == n_layers_ && n_experts == n_experts_)
        return;
    std::ostringstream reason;
    reason << "written by " << whose << " for " << n_layers << " layers of " << n_experts << " experts, this engine, "
           << name_ << ", has " << n_layers_ << " of " << n_experts_;
    throw Refusal(reason.str());
}

// The one check with a way past: a path that the user typed (R05, R06).
void Engine::check_identity(std::uint32_t id, const std::string &path, bool trusted) const
{
    static bool said = false;
    if (id == id_of(name_))
        return;
    const std::string sides = "written by " + writer(id) + ", this engine is " + name_;
    if (!trusted)
        throw Refusal(sides + "; pass PIN=" + path + " to use it anyway");
    if (!said)  // once per process (R19)
        std::cerr << "[USAGE] " << path << ": " << sides << "; using it, its path was typed\n";
    said = true;
}

// The writer in words: by name where the id is known (R18).
std::string Engine::writer(std::uint32_t id) const
{
    if (id == id_of(name_))
        return name_;
    const auto known = std::find_if(KNOWN.begin(), KNOWN.end(), [id](const char *name) { return id_of(name) == id; });
    return known != KNOWN.end() ? *known : "an unknown engine (id " + std::to_string(id) + ")";
}

// The records of an IKU1 file; `file` stands behind the magic. Its dimensions are compared before anything is read or
// allocated, however huge they are (I05).
std::vector<Engine::Record> Engine::iku1(std::istream &file, const std::string &path, bool trusted) const
{
    const std::string cut = "written by inkling, this engine is " + name_ + "; it is cut";
    char head[8];
    if (!file.read(head, sizeof head))
        throw Refusal(cut + " in its header");
    check_dimensions(little_endian(head), little_endian(head + 4), "inkling");
    const auto cells = static_cast<std::size_t>(n_layers_) * static_cast<std::size_t>(n_experts_);  // no MTP row
    std::vector<char> block(4 * cells);
    if (!file.read(block.data(), static_cast<std::streamsize>(block.size())))
        throw Refusal(cut);
    check_identity(id_of("inkling"), path, trusted);
    std::vector<Record> records;
    for (std::size_t cell = 0; cell < cells; cell++) {
        const auto layer = static_cast<int>(cell) / n_experts_, expert = static_cast<int>(cell) % n_experts_;
        if (const auto count = little_endian(&block[4 * cell]))
            records.emplace_back(layer, expert, count);
    }
    return records;
}
