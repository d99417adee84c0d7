module.exports = {
  mode: "production",
  entry: "./main.js",
  // Each module has 12 MB, and a browser fetches one of the three.
  performance: { hints: false },
};
