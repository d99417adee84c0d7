// Speaks a text one sentence at a time, prints the timestamp of each word, and stops after a time
// limit.
//
//     stream [FILE] [MILLISECONDS]

#include <speech.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <future>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>

namespace {

constexpr std::string_view text =
    "The first sentence is heard while the others are computed. That takes a moment each. "
    "Nobody has to wait for the whole text. It goes on until there is nothing left to say.";

/// Cancels a token on its own thread after a time limit, unless it is destroyed before.
class Deadline {
public:
  Deadline(const speech::CancelToken &token, std::chrono::milliseconds limit)
      : thread_(std::async(std::launch::async, [&token, limit, over = over_.get_future()] {
          if (over.wait_for(limit) == std::future_status::timeout) {
            token.cancel();
          }
        })) {}

  ~Deadline() { over_.set_value(); }

private:
  std::promise<void> over_;
  std::future<void> thread_; // the destructor waits for the thread
};

void print(const speech::Audio &chunk) {
  for (const speech::Word &word : chunk.words()) {
    std::cout << std::setw(6) << word.start.count() << " s  " << word.span.in(text) << '\n';
  }
  std::cout << std::flush;
}

void speak(const std::string &path, std::chrono::milliseconds limit) {
  const auto engine = speech::Engine::load();
  const auto request = speech::Request(text).voice("leo");
  std::ofstream pcm(path, std::ios::binary);
  pcm.exceptions(std::ios::failbit | std::ios::badbit);

  const speech::CancelToken cancel;
  const Deadline deadline(cancel, limit);
  try {
    for (const speech::Audio &chunk : engine.stream(request, cancel)) {
      const auto samples = chunk.samples(); // valid while `chunk` lives
      pcm.write(reinterpret_cast<const char *>(samples.data()),
                static_cast<std::streamsize>(samples.size_bytes()));
      print(chunk);
    }
  } catch (const speech::Error &error) {
    if (error.status() != speech::Status::cancelled) {
      throw;
    }
    std::cout << "time is up\n";
  }
}

} // namespace

int main(int argc, char **argv) {
  try {
    std::cout << std::fixed << std::setprecision(2);
    const std::chrono::milliseconds limit(argc > 2 ? std::stol(argv[2]) : 60'000);
    speak(argc > 1 ? argv[1] : "stream.pcm", limit);
    return EXIT_SUCCESS;
  } catch (const speech::Error &error) {
    std::cerr << error.type() << ": " << error.message() << '\n';
  } catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
  }
  return EXIT_FAILURE;
}
