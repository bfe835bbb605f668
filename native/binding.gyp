{
  "variables": { "sanitize%": "" },
  "targets": [
    {
      "target_name": "fe_native",
      # Which file serves which system is decided here and nowhere else.
      "sources": ["src/addon.cc"],
      "dependencies": ["<!(node -p \"require('node-addon-api').targets\"):node_addon_api_except"],
      "defines": ["NAPI_VERSION=9", "NODE_ADDON_API_DISABLE_DEPRECATED"],
      "cflags": ["-Wall", "-Wextra", "-Werror", "-fvisibility=hidden", "-fstack-protector-strong"],
      "cflags_cc": ["-std=c++20"],
      "cflags_cc!": ["-std=gnu++17", "-std=gnu++20"],
      "xcode_settings": {
        "CLANG_CXX_LANGUAGE_STANDARD": "c++20",
        "GCC_SYMBOLS_PRIVATE_EXTERN": "YES",
        "GCC_TREAT_WARNINGS_AS_ERRORS": "YES",
        "MACOSX_DEPLOYMENT_TARGET": "11.0",
        "WARNING_CFLAGS": ["-Wall", "-Wextra"]
      },
      "msvs_settings": {
        "VCCLCompilerTool": { "AdditionalOptions": ["/std:c++20", "/W4", "/WX"] }
      },
      "conditions": [
        ["OS=='linux'", { "sources": [] }],
        ["OS=='mac'", { "sources": [] }],
        ["OS=='win'", { "sources": [] }],
        ["sanitize!=''", {
          "cflags": ["-fsanitize=<(sanitize)", "-fno-omit-frame-pointer", "-g", "-O1"],
          "ldflags": ["-fsanitize=<(sanitize)"]
        }]
      ]
    }
  ]
}
