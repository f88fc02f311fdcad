package dev.outpost.examples.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Text whose tokens are its bytes, and the tokenizer file for it. */
final class ByteText {
    /** The token that ends a text. It follows the 256 bytes. */
    static final int END = 256;

    static final int VOCABULARY = 257;

    private ByteText() {}

    /** Reads and concatenates sources and documents below a folder, up to {@code max} bytes. */
    static byte[] read(Path root, int max) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (Stream<Path> all = Files.walk(root)) {
            List<Path> files = all.filter(ByteText::isText).sorted().toList();
            for (Path file : files) {
                byte[] bytes = Files.readAllBytes(file);
                text.write(bytes, 0, Math.min(bytes.length, max - text.size()));
            }
        }
        return text.toByteArray();
    }

    private static boolean isText(Path file) {
        String path = file.toString();
        return (path.endsWith(".java") || path.endsWith(".md")) && !path.contains("/target/");
    }

    /** Returns a {@code tokenizer.json} in Hugging Face's format: each byte is a token, without merges. */
    static String tokenizer() {
        ObjectNode file = new ObjectMapper().createObjectNode().put("version", "1.0");
        file.putNull("truncation").putNull("padding").putNull("normalizer").putNull("post_processor");
        file.putArray("added_tokens")
                .addObject()
                .put("id", END)
                .put("content", "<|end|>")
                .put("single_word", false)
                .put("lstrip", false)
                .put("rstrip", false)
                .put("normalized", false)
                .put("special", true);
        file.putObject("pre_tokenizer")
                .put("type", "ByteLevel")
                .put("add_prefix_space", false)
                .put("trim_offsets", true)
                .put("use_regex", false);
        file.putObject("decoder")
                .put("type", "ByteLevel")
                .put("add_prefix_space", true)
                .put("trim_offsets", true)
                .put("use_regex", true);
        ObjectNode model = file.putObject("model").put("type", "BPE");
        ObjectNode vocabulary = model.putObject("vocab");
        char next = 256;
        for (int value = 0; value < 256; value++) {
            // As in GPT-2: printable bytes stand for themselves, and others are characters from 256 on.
            boolean prints = value >= '!' && value <= '~' || value >= 0xA1 && value <= 0xAC || value >= 0xAE;
            vocabulary.put(String.valueOf(prints ? (char) value : next++), value);
        }
        model.putArray("merges");
        return file.toString();
    }
}
