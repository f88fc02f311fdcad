package dev.outpost.protocol.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.outpost.types.MalformedException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads JSON token by token, so that only requested parts are kept. Refuses duplicate names. */
final class Json {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .build();

    /** Reads the value of a field, up to its last token. */
    @FunctionalInterface
    interface Field {
        void read(String name, JsonParser in) throws IOException;
    }

    private Json() {}

    static JsonGenerator writer(OutputStream out) throws IOException {
        return FACTORY.createGenerator(out);
    }

    /**
     * Reads bytes that are one object, possibly followed by blanks. The first argument is the beginning of error
     * messages.
     */
    static void readObject(String what, byte[] json, Field field) {
        try (JsonParser in = FACTORY.createParser(utf8(json))) {
            in.nextToken();
            readObject(in, field);
            if (in.nextToken() != null) {
                throw new IllegalArgumentException("something follows the object");
            }
        } catch (JsonProcessingException failure) {
            throw new MalformedException(what + " is no JSON: " + failure.getOriginalMessage());
        } catch (IllegalArgumentException failure) {
            throw new MalformedException(what + ": " + failure.getMessage());
        } catch (CharacterCodingException ignored) {
            throw new MalformedException(what + " is no UTF-8");
        } catch (IOException impossible) {
            throw new UncheckedIOException("an array is read", impossible);
        }
    }

    /** Decodes UTF-8, the encoding of JSON in files. The parser alone would guess the encoding. */
    private static Reader utf8(byte[] json) {
        return new InputStreamReader(new ByteArrayInputStream(json), StandardCharsets.UTF_8.newDecoder());
    }

    /** Reads the object that begins at the current token. */
    static void readObject(JsonParser in, Field field) throws IOException {
        expect(in, JsonToken.START_OBJECT, "an object");
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            field.read(name, in);
        }
    }

    static String readString(JsonParser in) throws IOException {
        expect(in, JsonToken.VALUE_STRING, "a string");
        return in.getText();
    }

    /** Reads an integer between 0 and the largest long. */
    static long readSize(JsonParser in) throws IOException {
        expect(in, JsonToken.VALUE_NUMBER_INT, "an integer");
        if (in.getNumberType() == JsonParser.NumberType.BIG_INTEGER || in.getLongValue() < 0) {
            throw new IllegalArgumentException("a size is out of range, got " + quote(in.getText()));
        }
        return in.getLongValue();
    }

    /** Reads the array of sizes that begins at the current token. */
    static long[] readSizes(JsonParser in, int max) throws IOException {
        expect(in, JsonToken.START_ARRAY, "an array of integers");
        long[] sizes = new long[max];
        int count = 0;
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (count == max) {
                throw new IllegalArgumentException("an array has more than " + max + " numbers");
            }
            sizes[count++] = readSize(in);
        }
        return Arrays.copyOf(sizes, count);
    }

    private static void expect(JsonParser in, JsonToken expected, String description) {
        if (in.currentToken() != expected) {
            throw new IllegalArgumentException(
                    "expected " + description + ", got " + (in.currentToken() == null ? "the end" : in.currentToken()));
        }
    }

    /** Quotes and truncates a text of a file for an error message. */
    static String quote(String text) {
        String shown = text.length() <= 120 ? text : text.substring(0, 120) + "...";
        return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(shown)) + "\"";
    }
}
