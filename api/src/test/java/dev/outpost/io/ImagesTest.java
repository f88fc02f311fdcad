package dev.outpost.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.awt.image.BufferedImage;
import org.junit.jupiter.api.Test;

/** Images as tensors and back. */
class ImagesTest {
    private static HostTensor pixels(int channels) {
        byte[] bytes = new byte[channels * 6];
        for (int place = 0; place < bytes.length; place++) {
            bytes[place] = (byte) (place * 37 + 11);
        }
        return HostTensor.ofBytes(DType.UINT8, Shape.of(channels, 2, 3), bytes);
    }

    @Test
    void imagesComeBackAsTheyWere() {
        for (int channels : new int[] {1, 3, 4}) {
            HostTensor pixels = pixels(channels);
            BufferedImage image = Images.image(pixels);
            assertEquals(3, image.getWidth());
            assertEquals(2, image.getHeight());
            assertArrayEquals(pixels.bytes(), Images.of(image, channels).bytes());
        }
    }

    @Test
    void channelsAreRedGreenAndBlue() {
        BufferedImage image = new BufferedImage(2, 1, BufferedImage.TYPE_3BYTE_BGR);
        image.setRGB(1, 0, 0x102030);
        HostTensor pixels = Images.of(image);
        assertEquals(Shape.of(3, 1, 2), pixels.shape());
        assertArrayEquals(new byte[] {0, 0x10, 0, 0x20, 0, 0x30}, pixels.bytes());
    }

    @Test
    void whatIsNoImageIsRefused() {
        assertEquals(
                "images: uint8 [channels, height, width] are needed, got float32[2]; scale and cast floats first",
                assertThrows(OpException.class, () -> Images.image(HostTensor.of(new float[] {1, 2})))
                        .getMessage());
        assertEquals(
                "images: 1, 3 or 4 channels are possible, got 2",
                assertThrows(OpException.class, () -> Images.image(pixels(2))).getMessage());
        assertThrows(OpException.class, () -> Images.of(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB), 1));
    }
}
