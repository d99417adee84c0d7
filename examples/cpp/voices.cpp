// Each voice speaks its name into its own file on its own thread; all threads share one engine.
//
//     voices [LANGUAGE]

#include <speech.hpp>

#include <cstdlib>
#include <fstream>
#include <future>
#include <iostream>
#include <mutex>
#include <string>
#include <vector>

namespace {

std::string introduction(const std::string &language, const std::string &name) {
  return language == "hi-IN" ? "नमस्ते, मेरा नाम " + name + " है।" : "Hello, my name is " + name + ".";
}

std::string introduce(const speech::Engine &engine, const std::string &language, const speech::Voice &voice) {
  const auto request =
      speech::Request(introduction(language, voice.name)).language(language).voice(voice.id);
  const auto audio = engine.synthesize(request);
  const auto wav = audio.wav();
  const std::string path = voice.id + ".wav";
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.write(reinterpret_cast<const char *>(wav.data()), static_cast<std::streamsize>(wav.size()));
  return path;
}

void introduce_all(const std::string &language) {
  std::mutex lines;
  const auto engine = speech::Engine::load(
      speech::EngineOptions()
          .threads(1)
          .max_concurrency(2) // two sentences at once; the others wait in a queue
          .log([&lines](speech::LogLevel, std::string_view message) { // called on any thread
            const std::lock_guard<std::mutex> lock(lines);
            std::clog << message << '\n';
          }));

  std::vector<std::future<std::string>> files;
  for (const speech::Voice &voice : speech::voices()) {
    files.push_back(std::async(std::launch::async,
                               [&engine, &language, voice] { return introduce(engine, language, voice); }));
  }
  for (auto &file : files) {
    const std::string path = file.get(); // throws the exception of the thread
    const std::lock_guard<std::mutex> lock(lines);
    std::cout << path << '\n';
  }
}

} // namespace

int main(int argc, char **argv) {
  try {
    introduce_all(argc > 1 ? argv[1] : "en-US");
    return EXIT_SUCCESS;
  } catch (const speech::Error &error) {
    std::cerr << error.json() << '\n';
  } catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
  }
  return EXIT_FAILURE;
}
