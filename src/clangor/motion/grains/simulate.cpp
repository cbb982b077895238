#include <clangor/motion/grains/course.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace clangor {
namespace {

// Of a run of several minutes, every second or so.
constexpr int parts_of_progress = 500;

// Now and then a grain is caged by others; nothing squeezes them where that happens to one in so many.
constexpr std::int64_t rare_stops = 100;

class Writer {
public:
    template <class T>
    void operator()(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(&value, sizeof value);
    }
    template <class T>
    void operator()(const std::vector<T>& values) {
        static_assert(std::is_trivially_copyable_v<T>);
        append(values.data(), values.size() * sizeof(T));
    }
    std::vector<std::byte> bytes = {};

private:
    void append(const void* from, std::size_t size) {
        if (size == 0) return;
        const std::size_t at = bytes.size();
        bytes.resize(at + size);
        std::memcpy(bytes.data() + at, from, size);
    }
};

class Reader {
public:
    explicit Reader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
    template <class T>
    void operator()(T& value) {
        take(&value, sizeof value);
    }
    template <class T>
    void operator()(std::vector<T>& values) {
        take(values.data(), values.size() * sizeof(T));
    }
    bool is_at_end() const { return at_ == bytes_.size(); }

private:
    void take(void* to, std::size_t size) {
        if (size > bytes_.size() - at_)
            throw Error("the state of grains is not of this world: it is too short; begin anew");
        if (size > 0) std::memcpy(to, bytes_.data() + at_, size);
        at_ += size;
    }
    const std::vector<std::byte>& bytes_;
    std::size_t at_ = 0;
};

// All that changes in a run, in one order for both ways.
template <class Archive, class SomeCourse>
void exchange(Archive& archive, SomeCourse& course) {
    archive(course.now);
    archive(course.next_look);
    archive(course.next_start);
    archive(course.frames);
    archive(course.still);
    archive(course.escape_time);
    for (int k = 0; k < 3; ++k) archive(course.escape_place[k]);
    archive(course.report.between_grains);
    archive(course.report.with_walls);
    archive(course.report.lasting);
    archive(course.report.events);
    archive(course.report.asleep);
    archive(course.report.escaped);
    archive(course.report.stopped);
    archive(course.balls);
    archive(course.memories);
    archive(course.meetings);
    archive(course.passage_times);
    archive(course.passage_codes);
    archive(course.statuses);
    archive(course.cells.first);
    archive(course.cells.next);
    archive(course.cells.before);
    archive(course.cells.of_ball);
}

Grain grain_at(const grains::Course& course, std::int32_t i, double time) {
    const grains::Ball& ball = course.balls[std::size_t(i)];
    const grains::Memory& memory = course.memories[std::size_t(i)];
    Grain grain{.position = grains::vec(ball.x),
                .velocity = grains::vec(ball.v),
                .spin = grains::vec(memory.spin),
                .radius = ball.r,
                .kind = memory.kind};
    if (grains::is_awake(course, i)) {
        const grains::Fall fall = grains::fall_from(course, i, time);
        grain.position = fall.x;
        grain.velocity = fall.v;
    }
    if (course.cells.periodic)
        for (int k = 0; k < 3; ++k) grain.position[k] -= course.box[k] * std::floor(grain.position[k] / course.box[k]);
    return grain;
}

void show_frame(grains::Course& course, double time, const GrainSink& sink) {
    course.frame.resize(course.balls.size());
    for (std::size_t i = 0; i < course.frame.size(); ++i) course.frame[i] = grain_at(course, std::int32_t(i), time);
    sink.frame({.time = time, .grains = course.frame});
}

}  // namespace

struct GrainSimulator::World {
    GrainWorld walls;  // without its grains: for walls that are given another path
    grains::Course course;
};

GrainSimulator::GrainSimulator(const GrainWorld& world, const GrainOptions& options)
    : world_(new World{{.walls = world.walls}, grains::Course(world, options)}) {}

GrainSimulator::GrainSimulator(const GrainWorld& world, const GrainOptions& options, const GrainState& state)
    : GrainSimulator(world, options) {
    grains::Course& course = world_->course;
    Reader reader(state.bytes);
    exchange(reader, course);
    if (!reader.is_at_end()) throw Error("the state of grains is not of this world: it is too long; begin anew");
    for (std::int32_t i = 0; i < std::int32_t(course.balls.size()); ++i) grains::schedule(course, i);
}

GrainSimulator::~GrainSimulator() = default;
GrainSimulator::GrainSimulator(GrainSimulator&&) noexcept = default;
GrainSimulator& GrainSimulator::operator=(GrainSimulator&&) noexcept = default;

void GrainSimulator::advance(double time, const GrainSink& sink) {
    grains::Course& course = world_->course;
    if (time < course.now) throw Error(fmt::format("grains were asked to go back from {} s to {} s", course.now, time));
    while (sink.frame && double(course.frames) / course.options.frame_hz <= time) {
        const double next = double(course.frames++) / course.options.frame_hz;
        run_until(course, next, sink);
        show_frame(course, next, sink);
    }
    run_until(course, time, sink);
}

void GrainSimulator::set_path(int wall, const Trajectory& path) {
    grains::Course& course = world_->course;
    CLANGOR_ASSERT(wall >= 0 && std::size_t(wall) < course.has_path.size(), "there is no such wall");
    GrainWall& given = world_->walls.walls[std::size_t(wall)];
    const auto is_it = [&](const grains::MovingWall& m) { return m.wall == wall; };
    const auto moving = std::find_if(course.walls.moving.begin(), course.walls.moving.end(), is_it);
    given.path = path;
    if (moving != course.walls.moving.end()) {
        grains::set_path(*moving, path);
    } else {
        course.has_path[std::size_t(wall)] = 1;
        double largest = 0;
        for (const grains::Ball& ball : course.balls) largest = std::max(largest, ball.r);
        course.walls = grains::walls_of(world_->walls, course.cells, largest, course.has_path);
    }
    grains::wake_unheld(course, course.now);
    course.next_start = grains::earliest_start(course, course.now);
}

std::vector<Grain> GrainSimulator::grains() const {
    std::vector<Grain> all(world_->course.balls.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = grain_at(world_->course, std::int32_t(i), world_->course.now);
    return all;
}

GrainReport GrainSimulator::report() const {
    const grains::Course& course = world_->course;
    GrainReport report = course.report;
    report.time = course.now;
    if (report.escaped > 0)
        report.warnings.push_back(fmt::format(
            "{} of {} grains left the world, the first after {:.3g} s at ({:.3g}, {:.3g}, {:.3g}): nothing was in "
            "their way. Close the gap in the walls, or put a floor below",
            report.escaped, course.balls.size(), course.escape_time, course.escape_place[0], course.escape_place[1],
            course.escape_place[2]));
    if (rare_stops * report.stopped > std::int64_t(course.balls.size()))
        report.warnings.push_back(
            fmt::format("grains were stopped {} times, since they had more than {} collisions within {:.3g} s; "
                        "something squeezes them",
                        report.stopped, course.options.max_collisions, course.window));
    return report;
}

GrainState GrainSimulator::state() const {
    Writer writer;
    exchange(writer, world_->course);
    return {std::move(writer.bytes)};
}

GrainReport simulate(const GrainWorld& world, const GrainOptions& options, const GrainSink& sink,
                     const Progress& progress) {
    GrainSimulator simulator(world, options);
    for (int i = 1; i <= parts_of_progress; ++i) {
        simulator.advance(options.duration * i / parts_of_progress, sink);
        progress("grains", double(i) / parts_of_progress);
    }
    return simulator.report();
}

}  // namespace clangor
