#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <memory>

namespace clangor::app {
namespace {

using Clock = std::chrono::steady_clock;

// Whether the cursor stands behind a bar; read by the signal handler.
volatile std::sig_atomic_t bar_is_open = 0;

std::string time_left(double elapsed_s, double fraction) {
    if (fraction < 0.02 || elapsed_s < 1) return "";
    const long left = std::lround(elapsed_s * (1 - fraction) / fraction);
    return left < 60 ? fmt::format("  {} s left", left) : fmt::format("  {} min {:02} s left", left / 60, left % 60);
}

struct Bar {
    Clock::time_point start = Clock::now(), drawn{};
    std::string stage;
    double highest = 0;
};

void draw(Bar& bar, std::string_view stage, double fraction) {
    const Clock::time_point now = Clock::now();
    const bool is_new = bar.stage != stage;
    if (!is_new && now - bar.drawn < std::chrono::milliseconds(100) && fraction < 1) return;
    bar.drawn = now;
    bar.stage = stage;
    bar.highest = std::clamp(fraction, bar.highest, 1.0);
    constexpr int width = 30;
    const int filled = int(width * bar.highest);
    const double elapsed = std::chrono::duration<double>(now - bar.start).count();
    bar_is_open = 1;
    fmt::print(stderr, "\r[{}{}] {:3.0f} %  {}{}\033[K", std::string(size_t(filled), '#'),
               std::string(size_t(width - filled), '.'), 100 * bar.highest, stage, time_left(elapsed, bar.highest));
    std::fflush(stderr);
}

void on_interrupt(int signal) {
    if (bar_is_open && ::write(STDERR_FILENO, "\ninterrupted\n", 13) < 0) {
        // Nothing can be said then; the signal still ends the process.
    }
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

void checked_flush() {
    if (std::fflush(stdout) != 0 || std::ferror(stdout))
        throw Error("cannot write to standard output: is the disk full, or the pipe closed?", Blame::Work);
}

}  // namespace

Progress progress_on_stderr(bool quiet) {
    if (quiet) return {};
    const bool is_terminal = isatty(STDERR_FILENO) == 1;
    auto bar = std::make_shared<Bar>();
    return {[bar, is_terminal](std::string_view stage, double fraction) {
        if (is_terminal) return draw(*bar, stage, fraction);
        if (bar->stage != stage) fmt::print(stderr, "{}\n", stage);
        bar->stage = stage;
    }};
}

void finish_progress() {
    if (bar_is_open) fmt::print(stderr, "\r\033[K");
    bar_is_open = 0;
}

void end_line_on_interrupt() {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
}

void warn(const std::string& text, bool quiet) {
    if (!quiet) fmt::print(stderr, "warning: {}\n", text);
}

void say(const std::string& text, bool quiet) {
    if (!quiet) fmt::print(stderr, "{}\n", text);
}

void print(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    checked_flush();
}

void print_json(const nlohmann::json& value) { print(value.dump(2) + "\n"); }

}  // namespace clangor::app
