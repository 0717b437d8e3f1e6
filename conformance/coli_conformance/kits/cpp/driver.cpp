// A driver to start from: it stands between coli-conformance and your engine, one text line in, one answer out.
//
// As it stands it claims the seven roles an engine owes and can do nothing: every case fails. Fill in one command after
// another; a role whose commands are all there goes green. Take out of ROLES what your engine will never do:
//
//   load        reads a text history                    init, load, counts
//   bounds      has counters of given dimensions        drop
//   identify    refuses other dimensions, identities and newer versions
//   trusted     tells a typed path from a found one     trust
//   iku1        reads IKU1 (inkling) or refuses it by name (any other engine)
//   save        writes a text history                   route, add, save
//   trace       writes the ROUTE_TRACE stream           route, endcall
//
// Build it with your engine:   c++ -std=c++17 -o driver driver.cpp engine.cpp
// Hold it to the contract:     coli-conformance run -- ./driver
// Try it by hand:              printf 'hello 1\ninit my_engine 5 8\ncounts\n' | ./driver
//
// An answer is any data lines and then one line that begins with ok, refused, error or unsupported. Text after
// `refused` or `error` is free; messages for the user go to standard error.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

// The roles claimed, each after a blank.
static const char ROLES[] = " load bounds identify trusted iku1 save trace";

// The choices of a route command, ID:GATE with blanks between them, in selection order.
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

static std::string answer(const std::string &line)
{
    std::istringstream words(line);
    std::string verb, name, path;
    int n_layers, n_experts, layer, row, expert;
    std::uint32_t count;
    words >> verb;

    if (line == "hello 1")
        return std::string("ok") + ROLES;
    if (verb == "init" && words >> name >> n_layers >> n_experts) {
        // Give your engine this name and these dimensions, every counter zero. It comes once per process (claim
        // `reusable` if a second one starts truly fresh). An engine built for one name and one size answers any other
        // with `unsupported`; the case's other commands arrive all the same.
        return "ok";
    }
    if (verb == "drop" && words >> layer) {
        // This layer does not route: from now on nothing may be credited to its row.
        return "unsupported";
    }
    if (verb == "route" && words >> layer >> row) {
        // One routing decision: count its choices, and trace them when ROUTE_TRACE is set.
        const auto decision = choices(words);
        return "unsupported";
    }
    if (verb == "endcall") {
        // The moe call is over: the trace's call number goes up by one.
        return "unsupported";
    }
    if (verb == "add" && words >> layer >> expert >> count) {
        // Add to one counter directly; at 4294967295 it stays there.
        return "unsupported";
    }
    if (verb == "load" && words >> path) {
        // An untrusted read into the counters: "ok TOTAL", where TOTAL is the 64-bit sum of the counts that were
        // accepted, or "refused".
        return "unsupported";
    }
    if (verb == "trust" && words >> path) {
        // The same for a path the user typed: another engine's identity is accepted, and nothing else is relaxed.
        return "unsupported";
    }
    if (verb == "counts") {
        // "LAYER EXPERT COUNT\n" for every counter that is not zero, in any order, then "ok".
        return "unsupported";
    }
    if (verb == "save" && words >> path) {
        // Write the history; "error" when it could not be written.
        return "unsupported";
    }
    return "unsupported";  // a verb of an extra role or of a later protocol
}

int main()
{
    for (std::string line; std::getline(std::cin, line);) {
        if (!line.empty() && line.back() == '\r')
            line.pop_back();
        std::cout << answer(line) << std::endl;  // with a flush: the harness waits for every answer
    }
    return 0;
}
