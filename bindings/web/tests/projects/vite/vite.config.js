export default {
  base: "./",
  // Workers that start others are modules.
  worker: { format: "es" },
  // Its workers and modules are files beside it, which the development server would leave behind.
  optimizeDeps: { exclude: ["libspeech-sdk-web"] },
};
