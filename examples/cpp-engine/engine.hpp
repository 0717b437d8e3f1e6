// A small engine's routing telemetry: counters, the text history, IKU1 and the trace.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

constexpr int FORMAT_VERSION = 1;

// The id under which an engine of this name writes.
std::uint32_t id_of(const std::string &name);

// Why a history was not read, or not written, in words for the user.
struct Refusal : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One session: an identity, dimensions, and a row of counters for each layer that routes.
class Engine {
  public:
    // Every counter zero; ROUTE_TRACE is opened anew.
    Engine(std::string name, int n_layers, int n_experts);

    // This layer does not route: nothing is credited to its row any more.
    void drop(int layer);
    // Add to one counter, which stays at its largest value. False where there is no such counter.
    bool credit(int layer, int expert, std::uint32_t count);
    // Count and trace one decision: the experts in selection order with the gates applied.
    void route(int layer, int row, const std::vector<std::pair<int, float>> &choices);
    // The moe call is over.
    void end_call() { call_++; }
    // Every counter above zero as layer, expert, count, ascending.
    std::vector<std::tuple<int, int, std::uint32_t>> counts() const;

    // Read a history into the counters. `trusted`: the user typed the path. The total of the accepted records;
    // none where the file was refused, with the reason on standard error and no counter changed.
    std::optional<std::uint64_t> read(const std::string &path, bool trusted);
    // Write the history. False where that failed; an older history at `path` is then as it was.
    bool save(const std::string &path) const;

  private:
    using Record = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

    std::vector<Record> accepted(const std::string &path, bool trusted) const;
    std::vector<Record> iku1(std::istream &file, const std::string &path, bool trusted) const;
    void check_header(const std::vector<Record> &records, const std::string &path, bool trusted) const;
    void check_dimensions(std::int64_t n_layers, std::int64_t n_experts, const std::string &writer) const;
    void check_identity(std::uint32_t id, const std::string &path, bool trusted) const;
    std::string writer(std::uint32_t id) const;
    std::string text() const;

    std::string name_;
    int n_layers_, n_experts_;
    std::vector<std::vector<std::uint32_t>> rows_;  // rows 0..n_layers; an empty one is dropped
    std::set<std::string> refused_;                 // resolved paths
    std::ofstream trace_;
    std::uint64_t call_ = 0;
};
