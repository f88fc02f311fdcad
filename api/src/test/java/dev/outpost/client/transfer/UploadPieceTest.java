package dev.outpost.client.transfer;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class UploadPieceTest {
    private final byte[] values = new byte[50_000];
    private int reads;
    private final ElementSource source = (first, target, at, length) -> {
        reads++;
        System.arraycopy(values, first, target, at, length);
    };

    UploadPieceTest() {
        for (int index = 0; index < values.length; index++) {
            values[index] = (byte) (7 * index);
        }
    }

    @Test
    void pieceIsReadInPlaceEachTimeItIsSent() {
        UploadPiece piece = new UploadPiece(source, 1_000, 40_000);
        byte[] expected = Arrays.copyOfRange(values, 1_000, 41_000);
        assertArrayEquals(expected, piece.toByteArray());
        assertArrayEquals(expected, piece.toByteArray());
    }

    @Test
    void pieceIsACopyOnceTheProgramResumes() {
        UploadPiece piece = new UploadPiece(source, 0, 40_000);
        byte[] expected = Arrays.copyOf(values, 40_000);
        piece.keep();
        Arrays.fill(values, (byte) 0);
        assertArrayEquals(expected, piece.toByteArray());
    }

    @Test
    void arrivedPieceIsNotCopied() {
        UploadPiece piece = new UploadPiece(source, 0, 40_000);
        piece.release();
        assertTrue(piece.isReleased());
        piece.keep();
        assertEquals(0, reads);
    }
}
