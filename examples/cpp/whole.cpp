// Speaks a whole text into a wav file.
//
//     whole [TEXT] [FILE]

#include <speech.hpp>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

namespace {

void write_file(const std::string &path, speech::Span<const std::uint8_t> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.exceptions(std::ios::failbit | std::ios::badbit);
  file.write(reinterpret_cast<const char *>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  file.close();
}

void speak(const std::string &text, const std::string &path) {
  const auto engine = speech::Engine::load();
  const auto audio = engine.synthesize(speech::Request(text).voice("sofia").language("en-US"));
  write_file(path, audio.wav());

  std::cout << "request " << audio.request_id() << ": " << audio.characters() << " characters, "
            << audio.duration().count() << " s\n";
  for (const speech::Diagnostic &diagnostic : audio.diagnostics()) {
    std::cout << "not said: " << diagnostic.span.in(text) << '\n';
  }
}

} // namespace

int main(int argc, char **argv) {
  try {
    speak(argc > 1 ? argv[1] : "Hello, world. 👋", argc > 2 ? argv[2] : "whole.wav");
    return EXIT_SUCCESS;
  } catch (const speech::Error &error) {
    std::cerr << error.type() << ": " << error.message() << " (request " << error.request_id() << ")\n";
  } catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
  }
  return EXIT_FAILURE;
}
