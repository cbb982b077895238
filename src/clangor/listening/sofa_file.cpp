#include <clangor/listening/sofa_file.hpp>

#include <fmt/format.h>
#include <mysofa.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <memory>

namespace clangor::listening {
namespace {

/// What the reading process sends before the numbers.
struct Header {
    int error = MYSOFA_INTERNAL_ERROR;
    unsigned measurements = 0, receivers = 0, taps = 0, delays = 0;
    float file_rate = 0;
};

bool send(int pipe, const void* data, std::size_t size) {
    const char* bytes = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t sent = ::write(pipe, bytes, size);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return false;
        bytes += sent;
        size -= sent;
    }
    return true;
}

bool receive(int pipe, void* data, std::size_t size) {
    char* bytes = static_cast<char*>(data);
    while (size > 0) {
        const ssize_t got = ::read(pipe, bytes, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes += got;
        size -= got;
    }
    return true;
}

/// In the reading process: what goes wrong here ends this process only, in silence and in time.
void confine() {
    for (const int signal : {SIGALRM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGPIPE}) ::signal(signal, SIG_DFL);
    ::alarm(60);
    const rlimit no_core = {0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // whose shadows take terabytes of addresses
    const rlimit memory = {rlim_t(8) << 30, rlim_t(8) << 30};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    const int nowhere = ::open("/dev/null", O_WRONLY);
    if (nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);  // the C library reports smashed stacks there
}

[[noreturn]] void read_and_send(std::span<const std::byte> file, float sample_rate, int pipe) {
    confine();
    Header header;
    MYSOFA_HRTF* hrtf = mysofa_load_data(reinterpret_cast<const char*>(file.data()), file.size(), &header.error);
    if (hrtf && header.error == MYSOFA_OK) header.error = mysofa_check(hrtf);
    std::vector<float> delays;
    if (hrtf && header.error == MYSOFA_OK) {
        delays.assign(hrtf->DataDelay.values, hrtf->DataDelay.values + hrtf->DataDelay.elements);
        header.file_rate = hrtf->DataSamplingRate.values[0];
        header.error = mysofa_resample(hrtf, sample_rate);
        mysofa_tocartesian(hrtf);
    } else if (header.error == MYSOFA_OK) {
        header.error = MYSOFA_INTERNAL_ERROR;
    }
    if (header.error == MYSOFA_OK) {
        const std::size_t responses = std::size_t(hrtf->M) * hrtf->R * hrtf->N;
        if (hrtf->C != 3 || hrtf->DataIR.elements < responses ||
            hrtf->SourcePosition.elements < std::size_t(hrtf->M) * 3)
            header.error = MYSOFA_INVALID_DIMENSIONS;
        header.measurements = hrtf->M;
        header.receivers = hrtf->R;
        header.taps = hrtf->N;
        header.delays = static_cast<unsigned>(delays.size());
    }
    bool sent = send(pipe, &header, sizeof header);
    if (header.error == MYSOFA_OK && sent) {
        sent = send(pipe, hrtf->SourcePosition.values, sizeof(float) * 3 * hrtf->M) &&
               send(pipe, delays.data(), sizeof(float) * delays.size()) &&
               send(pipe, hrtf->DataIR.values, sizeof(float) * hrtf->M * hrtf->R * hrtf->N);
    }
    ::_exit(sent ? 0 : 1);
}

/// Closes the pipe and reaps the process, whatever happens.
class Reader {
public:
    Reader(std::span<const std::byte> file, float sample_rate) {
        int ends[2] = {-1, -1};
        if (::pipe(ends) != 0) throw Error("cannot start reading a SOFA file: no pipe", Blame::Work);
        for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
        process_ = ::fork();
        if (process_ == 0) {
            ::close(ends[0]);
            read_and_send(file, sample_rate, ends[1]);
        }
        ::close(ends[1]);
        pipe_ = ends[0];
        if (process_ < 0) {
            ::close(pipe_);
            throw Error("cannot start reading a SOFA file: no process", Blame::Work);
        }
    }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() {
        ::close(pipe_);  // a process that still sends ends with SIGPIPE
        while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {}
    }
    bool receive(void* data, std::size_t size) const { return listening::receive(pipe_, data, size); }

private:
    pid_t process_ = -1;
    int pipe_ = -1;
};

const char* reason_of(int error) {
    switch (error) {
        case MYSOFA_UNSUPPORTED_FORMAT:
            return "it uses parts of HDF5 that libmysofa does not know";
        case MYSOFA_INVALID_ATTRIBUTES:
        case MYSOFA_INVALID_DIMENSIONS:
        case MYSOFA_INVALID_DIMENSION_LIST:
        case MYSOFA_INVALID_COORDINATE_TYPE:
            return "it holds something other than the impulse responses (SimpleFreeFieldHRIR) of a head";
        case MYSOFA_ONLY_EMITTER_WITH_ECI_SUPPORTED:
        case MYSOFA_ONLY_SOURCES_WITH_MC_SUPPORTED:
            return "it was measured with more than one loudspeaker at a time";
        case MYSOFA_RECEIVERS_WITH_RCI_SUPPORTED:
        case MYSOFA_RECEIVERS_WITH_CARTESIAN_SUPPORTED:
        case MYSOFA_INVALID_RECEIVER_POSITIONS:
            return "its receivers are not two ears, left and right of the head's centre";
        default:
            return "it is damaged, or not a SOFA file";
    }
}

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
    throw Error(
        fmt::format("{}: cannot be used as a head: {}. Use another file, or leave \"sofa\" out for a spherical head.",
                    name, reason));
}

void check(const Header& header, double sample_rate, const std::string& name) {
    if (header.error != MYSOFA_OK) refuse(name, reason_of(header.error));
    if (header.receivers != 2) refuse(name, fmt::format("it has {} receivers in place of two ears", header.receivers));
    if (header.measurements < 1 || header.measurements > 200000 || header.taps < 1)
        refuse(name, fmt::format("it has {} measurements of {} samples", header.measurements, header.taps));
    if (header.taps > 0.1 * sample_rate)
        refuse(name, fmt::format("its responses last {:.2f} s, as those of rooms do; a head's are shorter than 0.1 s",
                                 header.taps / sample_rate));
    if (!(header.file_rate >= 4000.f && header.file_rate <= 1e6f))
        refuse(name, fmt::format("its sample rate is {} Hz", double(header.file_rate)));
    if (header.delays != 2 && header.delays != 2 * header.measurements)
        refuse(name, fmt::format("it has {} delays for {} measurements", header.delays, header.measurements));
}

bool finite_and_below(const std::vector<float>& values, float limit) {
    for (const float value : values) {
        if (!(std::abs(value) <= limit)) return false;
    }
    return true;
}

}  // namespace

SofaData read_sofa(std::span<const std::byte> file, double sample_rate, const std::string& name) {
    constexpr char signature[] = "\x89HDF\r\n\x1a\n";
    if (file.size() < 64 || std::memcmp(file.data(), signature, 8) != 0) refuse(name, "it is not a SOFA (HDF5) file");
    const Reader reader(file, static_cast<float>(sample_rate));
    Header header;
    if (!reader.receive(&header, sizeof header)) refuse(name, reason_of(MYSOFA_INTERNAL_ERROR));
    check(header, sample_rate, name);

    SofaData data;
    data.file_rate = double(header.file_rate);
    data.taps = header.taps;
    std::vector<float> positions(3 * std::size_t(header.measurements)), delays(header.delays);
    data.responses.resize(2 * std::size_t(header.measurements) * header.taps);
    if (!reader.receive(positions.data(), sizeof(float) * positions.size()) ||
        !reader.receive(delays.data(), sizeof(float) * delays.size()) ||
        !reader.receive(data.responses.data(), sizeof(float) * data.responses.size()))
        refuse(name, reason_of(MYSOFA_INTERNAL_ERROR));
    if (!finite_and_below(positions, 1e6f) || !finite_and_below(data.responses, 1e6f) ||
        !finite_and_below(delays, 0.1f * header.file_rate))
        refuse(name, "some of its numbers are not finite, or absurdly large");

    data.directions.resize(header.measurements, 3);
    data.delays.resize(header.measurements, 2);
    for (long i = 0; i < data.directions.rows(); ++i) {
        const Vec3 position = Eigen::Map<const Eigen::Vector3f>(&positions[3 * i]).cast<double>();
        if (!(position.norm() > 1e-3)) refuse(name, fmt::format("measurement {} was made inside the head", i + 1));
        data.directions.row(i) = position.normalized();
        const float* own = &delays[header.delays == 2 ? 0 : 2 * i];
        data.delays.row(i) << double(own[0]) / data.file_rate, double(own[1]) / data.file_rate;
    }
    return data;
}

}  // namespace clangor::listening
