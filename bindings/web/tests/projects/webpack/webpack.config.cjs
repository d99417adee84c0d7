module.exports = {
  mode: "production",
  entry: "./main.js",
  // The modules have 12 MB each, and a browser fetches one of the three.
  performance: { hints: false },
};
