// swift-tools-version:5.9

import PackageDescription

let package = Package(
    name: "LibSpeech",
    platforms: [.iOS(.v13), .macOS(.v11)],
    products: [
        @PRODUCTS@
    ],
    targets: [
        @TARGETS@
    ]
)
