// The driver of this engine: the starter of `coli-conformance init cpp`, filled in.
//
//     c++ -std=c++17 -o driver driver.cpp engine.cpp reader.cpp
//     coli-conformance run -- ./driver
#include <cstdlib>
#include <iostream>
#include <sstream>

#include "engine.hpp"

// `reusable` as well: an Engine is made anew by each init, and nothing outlives it but what was said once (R19).
static const char ROLES[] = " load bounds identify trusted iku1 save trace reusable";

static std::optional<Engine> engine;

static std::string total_or_refused(std::optional<std::uint64_t> total)
{
    return total ? "ok " + std::to_string(*total) : "refused";
}

static std::string counts()
{
    std::ostringstream lines;
    for (const auto &[layer, expert, count] : engine->counts())
        lines << layer << ' ' << expert << ' ' << count << '\n';
    return lines.str() + "ok";
}

// The choices of a route command, ID:GATE with blanks between them.
static std::vector<std::pair<int, float>> choices(std::istream &words)
{
    std::vector<std::pair<int, float>> found;
    for (std::string word; words >> word;) {
        const auto colon = word.find(':');
        if (colon != std::string::npos)
            found.emplace_back(std::atoi(word.c_str()), std::strtof(word.c_str() + colon + 1, nullptr));
    }
    return found;
}

// The answer to one command.
static std::string answer(const std::string &line)
{
    std::istringstream words(line);
    std::string verb, word;
    int layer = 0, row = 0, expert = 0;
    std::uint32_t count = 0;
    words >> verb;
    if (line == "hello 1")
        return std::string("ok") + ROLES;
    if (verb == "init" && words >> word >> layer >> expert) {
        engine.reset();  // its trace is closed before the next one is opened
        engine.emplace(word, layer, expert);
        return "ok";
    }
    if (!engine)
        return "unsupported";
    if (verb == "drop" && words >> layer)
        engine->drop(layer);
    else if (verb == "route" && words >> layer >> row)
        engine->route(layer, row, choices(words));
    else if (verb == "endcall")
        engine->end_call();
    else if (verb == "add" && words >> layer >> expert >> count)
        engine->credit(layer, expert, count);
    else if (verb == "load" && words >> word)
        return total_or_refused(engine->read(word, false));
    else if (verb == "trust" && words >> word)
        return total_or_refused(engine->read(word, true));
    else if (verb == "counts")
        return counts();
    else if (verb == "save" && words >> word)
        return engine->save(word) ? "ok" : "error";
    else
        return "unsupported";
    return "ok";
}

int main()
{
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        std::cout << answer(line) << std::endl;  // with a flush: the suite waits for every answer
    }
    return 0;
}
