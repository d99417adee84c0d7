// swift-tools-version:5.9

import PackageDescription

let package = Package(
    name: "LibSpeech",
    platforms: [.iOS(.v13), .macOS(.v11)],
    products: [
        .library(name: "LibSpeech", targets: ["LibSpeech", "LibSpeechPrivacy"]),
        .library(name: "LibSpeechVoices", targets: ["LibSpeechVoices"]), // if voices
    ],
    targets: [
        .binaryTarget(name: "LibSpeech", path: "LibSpeech.xcframework"), // if local
        .binaryTarget( // if downloaded
            name: "LibSpeech", // if downloaded
            url: "https://github.com/OWNER/NAME/releases/download/v@VERSION@/LibSpeech.xcframework.zip", // if downloaded
            checksum: "@CHECKSUM@" // if downloaded
        ), // if downloaded
        .target(name: "LibSpeechPrivacy", resources: [.process("PrivacyInfo.xcprivacy")]),
        .target(name: "LibSpeechVoices", resources: [.copy("voices")]), // if voices
    ]
)
