module.exports = {
  mode: "production",
  entry: "./main.js",
  // The modules are of 12 MB each, and of the three a browser fetches one.
  performance: { hints: false },
};
