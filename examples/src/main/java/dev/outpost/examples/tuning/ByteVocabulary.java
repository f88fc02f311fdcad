package dev.outpost.examples.tuning;

import java.util.StringJoiner;

/** The {@code tokenizer.json} of a model whose tokens are bytes: 0 ends a text, and the token of byte b is b + 1. */
final class ByteVocabulary {
    static final int SIZE = 257;

    private ByteVocabulary() {}

    static String json() {
        StringJoiner entries = new StringJoiner(", ");
        entries.add("\"<|end|>\": 0");
        int unprintable = 0;
        for (int value = 0; value < 256; value++) {
            // Tokenizer files write invisible bytes as the characters from U+0100 on.
            char shown = isVisible(value) ? (char) value : (char) (256 + unprintable++);
            entries.add(String.format("\"\\u%04x\": %d", (int) shown, value + 1));
        }
        return """
                {"version": "1.0", "truncation": null, "padding": null, "normalizer": null, "post_processor": null,
                 "added_tokens": [{"id": 0, "content": "<|end|>", "single_word": false, "lstrip": false, "rstrip": false,
                   "normalized": false, "special": true}],
                 "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
                 "decoder": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": false},
                 "model": {"type": "BPE", "dropout": null, "unk_token": null, "continuing_subword_prefix": null,
                   "end_of_word_suffix": null, "fuse_unk": false, "byte_fallback": false, "ignore_merges": false,
                   "vocab": {%s}, "merges": []}}
                """.formatted(entries);
    }

    private static boolean isVisible(int value) {
        return value >= '!' && value <= '~' || value >= 0xA1 && value <= 0xAC || value >= 0xAE;
    }
}
