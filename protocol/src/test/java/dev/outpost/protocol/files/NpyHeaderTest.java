package dev.outpost.protocol.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NpyHeaderTest {
    private static byte[] file(int major, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocate(12 + bytes.length).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', (byte) major, 0});
        if (major == 1) {
            buffer.putShort((short) bytes.length);
        } else {
            buffer.putInt(bytes.length);
        }
        return buffer.put(bytes).array();
    }

    private static NpyHeader read(byte[] bytes) throws IOException {
        return NpyHeader.read("a.npy", new ByteArrayInputStream(bytes));
    }

    private static NpyHeader read(String text) throws IOException {
        return read(file(1, text));
    }

    private static void assertRefused(String problem, String text) {
        assertEquals(
                "malformed input: a.npy: the header: " + problem,
                assertThrows(MalformedException.class, () -> read(text)).getMessage());
    }

    @Test
    void fieldsComeInAnyOrderWithAnyBlanksAndQuotes() throws IOException {
        NpyHeader header = read(" { \"shape\":( 3L ,4 ) ,'fortran_order':True,'descr' : '>i8'} \n");
        assertEquals(new TensorType(DType.INT64, Shape.of(3, 4)), header.type());
        assertEquals(true, header.isBigEndian());
        assertEquals(true, header.isColumnMajor());
    }

    @Test
    void versionsDifferInTheLengthOfTheLength() throws IOException {
        String text = "{'descr': '|u1', 'fortran_order': False, 'shape': (), }\n";
        for (int major = 1; major <= 3; major++) {
            NpyHeader header = read(file(major, text));
            assertEquals(new TensorType(DType.UINT8, Shape.SCALAR), header.type());
            assertEquals((major == 1 ? 10 : 12) + text.length(), header.bytes());
            assertEquals(1, header.dataBytes());
        }
        assertEquals(
                "malformed input: a.npy: versions 1.0, 2.0 and 3.0 are read, got 4.0",
                assertThrows(MalformedException.class, () -> read(file(4, text)))
                        .getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"<c8", "<u4", "|O", "<U3", "|V2", "f4", "=f4", "", "|f4", "<M8[ns]"})
    void otherDTypesAreRefused(String descr) {
        assertRefused(
                "the dtype is not supported, expected one of <f4, <f8, <f2, <i8, <i4, <i2, |i1, |u1, |b1, got \""
                        + descr + "\"",
                "{'descr': '" + descr + "', 'fortran_order': False, 'shape': ()}");
    }

    @Test
    void otherLiteralsAreRefused() {
        assertRefused("descr, fortran_order and shape are needed", "{'descr': '<f4', 'shape': ()}");
        assertRefused("there is no field \"more\"", "{'more': 1}");
        assertRefused("shape comes twice", "{'shape': (), 'shape': ()}");
        assertRefused("arrays of structures are not supported", "{'descr': [('a', '<f4')]}");
        assertRefused("expected a comma at character 12, got \")}\"", "{'shape': (3)}");
        assertRefused("expected a size at character 11, got \"-1,)}\"", "{'shape': (-1,)}");
        assertRefused("expected True or False at character 18, got \"1}\"", "{'fortran_order': 1}");
        assertRefused("expected { at character 0, got \"exit()\"", "exit()");
        assertRefused("expected , at character 12, got the end", "{'shape': ()");
        assertRefused("a size is out of range, got 9999999999999999999", "{'shape': (9999999999999999999,)}");
    }

    @Test
    void sizesWhoseProductOverflowsAreRefused() {
        String text = "{'descr': '<f8', 'fortran_order': False, 'shape': (%s)}";
        assertThrows(MalformedException.class, () -> read(text.formatted("4611686018427387904, 4")));
        assertThrows(MalformedException.class, () -> read(text.formatted("4611686018427387904,")));
        assertThrows(MalformedException.class, () -> read(text.formatted("1, ".repeat(65))));
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "5"})
    void headersAreAlignedAndComeBack(int rank) throws IOException {
        long[] sizes = new long[rank];
        Arrays.fill(sizes, 3);
        TensorType type = new TensorType(DType.FLOAT32, Shape.of(sizes));
        byte[] bytes = NpyHeader.of(type);
        assertEquals(0, bytes.length % 64);
        assertEquals(new NpyHeader(type, false, false, bytes.length), read(bytes));
    }
}
