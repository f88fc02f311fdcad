package dev.outpost.serving.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import org.junit.jupiter.api.Test;

class TensorJsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private static HostTensor read(String json, DType dtype) {
        try {
            return TensorJson.read("inputs[0]", MAPPER.readTree(json), dtype);
        } catch (JsonProcessingException failure) {
            throw new IllegalArgumentException(failure);
        }
    }

    private static void assertRefused(String sentence, String json, DType dtype) {
        String message = assertThrows(IllegalArgumentException.class, () -> read(json, dtype))
                .getMessage();
        assertTrue(message.startsWith("inputs[0]: ") && message.contains(sentence), message);
    }

    @Test
    void tensorsOfAllDtypesComeBackAsTheyWere() {
        for (DType dtype : DType.values()) {
            String json = dtype == DType.BOOL
                    ? "[[true,false],[false,true]]"
                    : dtype.isFloating() ? "[[1.5,-2.0],[0.0,3.0]]" : "[[1,2],[0,3]]";
            HostTensor tensor = read(json, dtype);
            assertEquals("[2, 2]", tensor.shape().toString());
            assertEquals(dtype, tensor.dtype());
            assertEquals(json, TensorJson.write(tensor).toString());
        }
        assertEquals("7", TensorJson.write(read("7", DType.INT64)).toString());
        assertEquals("[[],[]]", TensorJson.write(read("[[],[]]", DType.FLOAT32)).toString());
    }

    @Test
    void numbersThatJsonLacksAreTexts() {
        String json = "[\"NaN\",\"Infinity\",\"-Infinity\"]";
        assertEquals(json, TensorJson.write(read(json, DType.FLOAT32)).toString());
    }

    @Test
    void otherArraysAreRefused() {
        assertRefused("one shape", "[[1,2],[3]]", DType.FLOAT32);
        assertRefused("one shape", "[[1,2],3]", DType.FLOAT32);
        assertRefused("one shape", "[1,[2]]", DType.FLOAT32);
        assertRefused("a number, got string", "[\"x\"]", DType.FLOAT32);
        assertRefused("a number, got null", "[null]", DType.FLOAT32);
        assertRefused("a whole number, got number", "[1.5]", DType.INT64);
        assertRefused("too large for int8", "[300]", DType.INT8);
        assertRefused("true or false, got number", "[1]", DType.BOOL);
        assertRefused("nested more than", "[".repeat(70) + "1" + "]".repeat(70), DType.FLOAT32);
    }
}
