// See engine.hpp. Counters and writing are here, reading is in reader.cpp.
#include "engine.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <locale>
#include <sstream>

#include <sys/stat.h>
#include <unistd.h>

std::uint32_t id_of(const std::string &name)
{
    std::uint32_t id = 2166136261u;  // FNV-1a: first the byte, then the prime (W07)
    for (unsigned char byte : name)
        id = (id ^ byte) * 16777619u;
    return id;
}

Engine::Engine(std::string name, int n_layers, int n_experts)
    : name_(std::move(name)), n_layers_(n_layers), n_experts_(n_experts),
      rows_(static_cast<std::size_t>(n_layers) + 1, std::vector<std::uint32_t>(static_cast<std::size_t>(n_experts)))
{
    const char *path = std::getenv("ROUTE_TRACE");
    if (!path || !*path)
        return;  // unset or empty: no trace (T08)
    trace_.imbue(std::locale::classic());  // a decimal point in every locale (T09)
    trace_.open(path, std::ios::binary | std::ios::trunc);
    if (!trace_)  // the run goes on without one (T11)
        std::cerr << "[TRACE] " << path << ": cannot be opened, going on without a trace\n";
}

void Engine::drop(int layer)
{
    if (layer >= 0 && layer <= n_layers_)
        rows_[static_cast<std::size_t>(layer)].clear();
}

bool Engine::credit(int layer, int expert, std::uint32_t count)
{
    if (layer < 0 || layer > n_layers_ || expert < 0)
        return false;
    auto &row = rows_[static_cast<std::size_t>(layer)];
    if (static_cast<std::size_t>(expert) >= row.size())
        return false;
    auto &counter = row[static_cast<std::size_t>(expert)];
    const auto room = std::numeric_limits<std::uint32_t>::max() - counter;
    counter += std::min(count, room);  // W19, R22
    return true;
}

void Engine::route(int layer, int row, const std::vector<std::pair<int, float>> &choices)
{
    std::ostringstream line;
    line.imbue(std::locale::classic());
    line << std::fixed;
    line.precision(4);
    for (const auto &[expert, gate] : choices)
        if (std::isfinite(gate) && credit(layer, expert, 1))  // an unsound choice reaches neither of the two (T12)
            line << ' ' << expert << ':' << gate;
    if (!trace_.is_open() || !trace_ || line.str().empty())
        return;
    trace_ << call_ << ' ' << row << ' ' << layer << line.str() << '\n' << std::flush;
    if (!trace_)
        std::cerr << "[TRACE] cannot be written, it ends here\n";
}

std::vector<std::tuple<int, int, std::uint32_t>> Engine::counts() const
{
    std::vector<std::tuple<int, int, std::uint32_t>> found;
    for (std::size_t layer = 0; layer < rows_.size(); layer++)
        for (std::size_t expert = 0; expert < rows_[layer].size(); expert++)
            if (rows_[layer][expert])
                found.emplace_back(static_cast<int>(layer), static_cast<int>(expert), rows_[layer][expert]);
    return found;
}

// Sparse; nothing at all where no counter is above zero, so that PIN=auto falls back (W08).
std::string Engine::text() const
{
    const auto records = counts();
    std::ostringstream out;
    out.imbue(std::locale::classic());
    if (!records.empty())
        out << "-1 " << n_layers_ << ' ' << n_experts_ << "\n-2 " << FORMAT_VERSION << ' ' << id_of(name_)
            << '\n';  // version second, id third (W06)
    for (const auto &[layer, expert, count] : records)
        out << layer << ' ' << expert << ' ' << count << '\n';
    return out.str();
}

// Whether all of `text` went through `descriptor` to the disk; errno says why not.
static bool written(int descriptor, const std::string &text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t some = write(descriptor, text.data() + done, text.size() - done);
        if (some < 0)
            return false;
        done += static_cast<std::size_t>(some);
    }
    return fchmod(descriptor, 0644) == 0 && fsync(descriptor) == 0;
}

bool Engine::save(const std::string &path) const
{
    std::error_code unknown;
    const auto real = std::filesystem::canonical(path, unknown).string();
    if (!unknown && refused_.count(real)) {  // it is somebody's history, and this engine could not read it (W21)
        std::cerr << "[USAGE] " << path << ": not saved: this engine refused to read what is there; move it away\n";
        return false;
    }
    std::string beside = path + ".XXXXXX";  // a name of its own, or two engines mix (W24)
    const int descriptor = mkstemp(beside.data());
    bool sound = descriptor >= 0 && written(descriptor, text());
    int reason = errno;
    if (descriptor >= 0 && close(descriptor) != 0)
        sound = false;
    // The new file is whole before it takes the old one's place (W16, W17).
    if (sound && std::rename(beside.c_str(), path.c_str()) == 0)
        return true;
    reason = sound ? errno : reason;
    if (descriptor >= 0)
        unlink(beside.c_str());  // W20
    std::cerr << "[USAGE] " << path << ": not saved: " << std::strerror(reason) << '\n';
    return false;
}
