package dev.outpost.examples.models;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Text whose tokens are its bytes, and the tokenizer's file that says so to others. */
final class ByteText {
    /** Behind the 256 bytes: the token that ends a text. */
    static final int END = 256;

    static final int VOCABULARY = 257;

    private ByteText() {}

    /** Sources and documents below a folder, one behind the other, up to so many bytes. */
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

    /** A {@code tokenizer.json} of Hugging Face's form: each byte has its own number, and nothing is merged. */
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
            // As GPT-2 has it: bytes that print stand for themselves, the others are characters from 256 on.
            boolean prints = value >= '!' && value <= '~' || value >= 0xA1 && value <= 0xAC || value >= 0xAE;
            vocabulary.put(String.valueOf(prints ? (char) value : next++), value);
        }
        model.putArray("merges");
        return file.toString();
    }
}
