package dev.outpost.models.constraint;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that each token of a {@code tokenizer.json} adds to a text; null for tokens that add none, such as the end token.
 */
public final class TokenBytes {
    private static final char BLANK = '\u2581';

    private TokenBytes() {}

    /** @param vocabulary the number of tokens of the model, which may be larger than that of the tokenizer */
    public static byte[] @Nullable [] of(JsonNode tokenizer, int vocabulary) {
        byte[][] bytes = new byte[vocabulary][];
        boolean isByteLevel = tokenizer.path("decoder").toString().contains("\"ByteLevel\"");
        Set<Integer> special = new HashSet<>();
        tokenizer.path("added_tokens").forEach(added -> {
            if (added.path("special").asBoolean()) {
                special.add(added.path("id").asInt());
            }
        });
        Map<Character, Byte> ofCharacters = isByteLevel ? byteLevel() : Map.of();
        JsonNode known = tokenizer.path("model").path("vocab");
        if (known.isObject()) {
            known.properties()
                    .forEach(entry -> put(bytes, special, entry.getValue().asInt(), entry.getKey(), ofCharacters));
        } else {
            // Unigram has pairs of text and score, in the order of the ids.
            for (int id = 0; id < known.size(); id++) {
                put(bytes, special, id, known.get(id).get(0).asText(), ofCharacters);
            }
        }
        tokenizer.path("added_tokens").forEach(added -> {
            int id = added.path("id").asInt();
            if (!special.contains(id) && id < vocabulary) {
                bytes[id] = added.path("content").asText().getBytes(StandardCharsets.UTF_8);
            }
        });
        return bytes;
    }

    private static void put(
            byte[][] bytes, Set<Integer> special, int id, String text, Map<Character, Byte> ofCharacters) {
        if (!special.contains(id) && id < bytes.length && !text.isEmpty()) {
            bytes[id] = bytes(text, ofCharacters);
        }
    }

    private static byte[] bytes(String text, Map<Character, Byte> ofCharacters) {
        if (ofCharacters.isEmpty()) {
            return text.matches("<0x[0-9A-F]{2}>")
                    ? new byte[] {(byte) Integer.parseInt(text.substring(3, 5), 16)}
                    : text.replace(BLANK, ' ').getBytes(StandardCharsets.UTF_8);
        }
        byte[] bytes = new byte[text.length()];
        for (int place = 0; place < bytes.length; place++) {
            Byte one = ofCharacters.get(text.charAt(place));
            if (one == null) {
                return text.getBytes(StandardCharsets.UTF_8);
            }
            bytes[place] = one;
        }
        return bytes;
    }

    /** Returns GPT-2's characters for bytes: printable ones stand for themselves, and the others begin at 256. */
    private static Map<Character, Byte> byteLevel() {
        Map<Character, Byte> characters = new HashMap<>();
        char next = 256;
        for (int value = 0; value < 256; value++) {
            boolean prints = value >= '!' && value <= '~' || value >= 0xA1 && value <= 0xAC || value >= 0xAE;
            characters.put(prints ? (char) value : next++, (byte) value);
        }
        return characters;
    }
}
