{
  "variables": { "sanitize%": "" },
  "targets": [
    {
      "target_name": "fe_native",
      # Which file serves which system is decided here and nowhere else.
      "sources": [
        "src/addon.cc",
        "src/js_args.cc",
        "src/js_directory.cc",
        "src/js_later.cc",
        "src/js_process.cc",
        "src/js_result.cc",
        "src/js_status.cc",
        "src/js_target.cc"
      ],
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
      # No /WX: Microsoft's compiler has not compiled this yet, and what it warns of is not known.
      "msvs_settings": {
        "VCCLCompilerTool": { "AdditionalOptions": ["/std:c++20", "/W4"] }
      },
      "conditions": [
        ["OS=='linux'", {
          "sources": [
            "src/acl_linux.cc",
            "src/boot_linux.cc",
            "src/descriptor_posix.cc",
            "src/directory_linux.cc",
            "src/directory_posix.cc",
            "src/filesystem_linux.cc",
            "src/find_in_heads_posix.cc",
            "src/finish_posix.cc",
            "src/flush_linux.cc",
            "src/identity_linux.cc",
            "src/identity_posix.cc",
            "src/js_content_posix.cc",
            "src/lease_linux.cc",
            "src/lock_posix.cc",
            "src/open_file_linux.cc",
            "src/os_error_posix.cc",
            "src/owner_posix.cc",
            "src/process_linux.cc",
            "src/process_posix.cc",
            "src/publish_posix.cc",
            "src/read_small_linux.cc",
            "src/reopen_linux.cc",
            "src/reserve_linux.cc",
            "src/store_file_posix.cc",
            "src/time_namespace_linux.cc",
            "src/volume_linux.cc",
            "src/walk_linux.cc",
            "src/walk_posix.cc",
            "src/write_back_linux.cc"
          ]
        }],
        ["OS=='mac'", {
          "sources": [
            "src/acl_darwin.cc",
            "src/boot_darwin.cc",
            "src/descriptor_posix.cc",
            "src/directory_darwin.cc",
            "src/directory_posix.cc",
            "src/filesystem_darwin.cc",
            "src/find_in_heads_posix.cc",
            "src/finish_posix.cc",
            "src/flush_darwin.cc",
            "src/identity_darwin.cc",
            "src/identity_posix.cc",
            "src/js_content_posix.cc",
            "src/lease_darwin.cc",
            "src/lock_posix.cc",
            "src/open_file_darwin.cc",
            "src/os_error_posix.cc",
            "src/owner_posix.cc",
            "src/process_darwin.cc",
            "src/process_posix.cc",
            "src/publish_posix.cc",
            "src/reopen_darwin.cc",
            "src/reserve_darwin.cc",
            "src/store_file_posix.cc",
            "src/volume_darwin.cc",
            "src/walk_darwin.cc",
            "src/walk_posix.cc",
            "src/write_back_darwin.cc"
          ]
        }],
        ["OS=='win'", {
          "sources": [
            "src/boot_windows.cc",
            "src/content_windows.cc",
            "src/directory_windows.cc",
            "src/exclusion_windows.cc",
            "src/filesystem_windows.cc",
            "src/find_in_heads_windows.cc",
            "src/finish_windows.cc",
            "src/identity_windows.cc",
            "src/js_content_windows.cc",
            "src/lock_windows.cc",
            "src/name_windows.cc",
            "src/nt_windows.cc",
            "src/open_file_windows.cc",
            "src/os_error_windows.cc",
            "src/process_windows.cc",
            "src/reserve_windows.cc",
            "src/security_windows.cc",
            "src/store_file_windows.cc",
            "src/text_windows.cc",
            "src/walk_windows.cc",
            "src/write_back_windows.cc"
          ],
          "libraries": ["-ladvapi32"]
        }],
        ["sanitize!=''", {
          "cflags": ["-fsanitize=<(sanitize)", "-fno-omit-frame-pointer", "-g", "-O1"],
          "ldflags": ["-fsanitize=<(sanitize)"]
        }]
      ]
    }
  ]
}
