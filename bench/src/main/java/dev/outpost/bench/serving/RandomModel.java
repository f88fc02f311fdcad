package dev.outpost.bench.serving;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A Llama of the shape of SmolLM2-135M with random float32 weights, as files.
 *
 * @param layers number of layers; 30 for the full size
 */
public record RandomModel(int layers) {
    private static final int VOCABULARY = 49_152;
    private static final int HIDDEN = 576;
    private static final int INNER = 1536;
    private static final int HEADS = 9;
    private static final int GROUPS = 3;

    public void write(Path folder) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode config = mapper.createObjectNode()
                .put("model_type", "llama")
                .put("vocab_size", VOCABULARY)
                .put("hidden_size", HIDDEN)
                .put("intermediate_size", INNER)
                .put("num_hidden_layers", layers)
                .put("num_attention_heads", HEADS)
                .put("num_key_value_heads", GROUPS)
                .put("max_position_embeddings", 8192)
                .put("rms_norm_eps", 1e-5)
                .put("rope_theta", 100_000.0)
                .put("hidden_act", "silu")
                .put("tie_word_embeddings", true)
                .put("bos_token_id", 0)
                .put("eos_token_id", 0);
        Files.writeString(folder.resolve("config.json"), config.toString());
        Map<String, long[]> shapes = shapes();
        ObjectNode header = mapper.createObjectNode();
        long offset = 0;
        for (Map.Entry<String, long[]> tensor : shapes.entrySet()) {
            long bytes = 4 * elements(tensor.getValue());
            ObjectNode entry = header.putObject(tensor.getKey()).put("dtype", "F32");
            for (long size : tensor.getValue()) {
                entry.withArray("shape").add(size);
            }
            entry.putArray("data_offsets").add(offset).add(offset + bytes);
            offset += bytes;
        }
        byte[] text = header.toString().getBytes(StandardCharsets.UTF_8);
        try (OutputStream out =
                new BufferedOutputStream(Files.newOutputStream(folder.resolve("model.safetensors")), 1 << 20)) {
            out.write(ByteBuffer.allocate(8)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(text.length)
                    .array());
            out.write(text);
            SplittableRandom random = new SplittableRandom(1);
            for (Map.Entry<String, long[]> tensor : shapes.entrySet()) {
                writeValues(out, random, elements(tensor.getValue()), tensor.getValue().length == 1);
            }
        }
    }

    /** Writes a tokenizer for engines that need one: each letter is a token, without merges. */
    public static void writeLetters(Path folder) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode file = mapper.createObjectNode().put("version", "1.0");
        ObjectNode added = file.putArray("added_tokens").addObject();
        added.put("id", 0)
                .put("content", "<s>")
                .put("single_word", false)
                .put("lstrip", false)
                .put("rstrip", false)
                .put("normalized", false)
                .put("special", true);
        ObjectNode model = file.putObject("model").put("type", "BPE");
        ObjectNode known = model.putObject("vocab").put("<s>", 0);
        for (int token = 1; token < VOCABULARY; token++) {
            known.put(token <= 26 ? String.valueOf((char) ('a' + token - 1)) : "token" + token, token);
        }
        model.putArray("merges");
        Files.writeString(folder.resolve("tokenizer.json"), file.toString());
    }

    private static void writeValues(OutputStream out, SplittableRandom random, long count, boolean isNorm)
            throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        for (long element = 0; element < count; element++) {
            buffer.putFloat(isNorm ? 1 : (random.nextInt() >> 8) * 0x1p-23f * 0.04f);
            if (!buffer.hasRemaining() || element == count - 1) {
                out.write(buffer.array(), 0, buffer.position());
                buffer.clear();
            }
        }
    }

    private Map<String, long[]> shapes() {
        long keys = (long) GROUPS * HIDDEN / HEADS;
        Map<String, long[]> shapes = new LinkedHashMap<>();
        shapes.put("model.embed_tokens.weight", new long[] {VOCABULARY, HIDDEN});
        for (int layer = 0; layer < layers; layer++) {
            String name = "model.layers." + layer + ".";
            shapes.put(name + "self_attn.q_proj.weight", new long[] {HIDDEN, HIDDEN});
            shapes.put(name + "self_attn.k_proj.weight", new long[] {keys, HIDDEN});
            shapes.put(name + "self_attn.v_proj.weight", new long[] {keys, HIDDEN});
            shapes.put(name + "self_attn.o_proj.weight", new long[] {HIDDEN, HIDDEN});
            shapes.put(name + "mlp.gate_proj.weight", new long[] {INNER, HIDDEN});
            shapes.put(name + "mlp.up_proj.weight", new long[] {INNER, HIDDEN});
            shapes.put(name + "mlp.down_proj.weight", new long[] {HIDDEN, INNER});
            shapes.put(name + "input_layernorm.weight", new long[] {HIDDEN});
            shapes.put(name + "post_attention_layernorm.weight", new long[] {HIDDEN});
        }
        shapes.put("model.norm.weight", new long[] {HIDDEN});
        return shapes;
    }

    private static long elements(long[] shape) {
        long count = 1;
        for (long size : shape) {
            count *= size;
        }
        return count;
    }

    public static int vocabulary() {
        return VOCABULARY;
    }
}
