package dev.outpost.io;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.awt.image.BufferedImage;
import java.util.Arrays;

/**
 * Converts images of {@code java.awt} to tensors and back: uint8 {@code [channels, height, width]} as in torchvision,
 * with red, green and blue in this order. Only this class needs the module {@code java.desktop}. A program on the
 * module path must require that module.
 */
public final class Images {
    private static final int GREY = 1;
    private static final int COLOURS = 3;
    private static final int WITH_ALPHA = 4;

    /** The bit positions of red, green, blue and alpha in a packed pixel. */
    private static final int[] SHIFTS = {16, 8, 0, 24};

    private Images() {}

    /**
     * Returns a tensor of three channels, or of four channels for an image with transparency. Images that are not in
     * sRGB are converted.
     */
    public static HostTensor of(BufferedImage image) {
        return of(image, image.getColorModel().hasAlpha() ? WITH_ALPHA : COLOURS);
    }

    /**
     * Returns a tensor with this number of channels.
     *
     * @param channels 1 for a grey image's levels, 3 for colours, 4 for colours and alpha
     * @throws OpException for any other number of channels, or for 1 if the image is not grey
     */
    public static HostTensor of(BufferedImage image, int channels) {
        requireChannels(channels);
        int height = image.getHeight();
        int width = image.getWidth();
        byte[] bytes = new byte[Math.multiplyExact(channels, Math.multiplyExact(height, width))];
        if (channels == GREY) {
            copyGrey(image, bytes);
        } else {
            copyColours(image, channels, bytes);
        }
        return HostTensor.ofBytes(DType.UINT8, Shape.of(channels, height, width), bytes);
    }

    private static void requireChannels(long channels) {
        if (channels != GREY && channels != COLOURS && channels != WITH_ALPHA) {
            throw new OpException("images", "1, 3 or 4 channels are possible, got " + channels);
        }
    }

    /** Copies the levels as they are stored. A conversion through sRGB would change them. */
    private static void copyGrey(BufferedImage image, byte[] bytes) {
        if (image.getType() != BufferedImage.TYPE_BYTE_GRAY) {
            throw new OpException(
                    "images",
                    "one channel is that of TYPE_BYTE_GRAY, got type " + image.getType()
                            + "; take three channels, or draw it into a grey image");
        }
        int[] levels = image.getRaster().getSamples(0, 0, image.getWidth(), image.getHeight(), 0, (int[]) null);
        for (int place = 0; place < levels.length; place++) {
            bytes[place] = (byte) levels[place];
        }
    }

    private static void copyColours(BufferedImage image, int channels, byte[] bytes) {
        int width = image.getWidth();
        int plane = image.getHeight() * width;
        int[] line = new int[width];
        for (int row = 0; row < image.getHeight(); row++) {
            image.getRGB(0, row, width, 1, line, 0, width);
            for (int channel = 0; channel < channels; channel++) {
                for (int column = 0; column < width; column++) {
                    bytes[channel * plane + row * width + column] = (byte) (line[column] >> SHIFTS[channel]);
                }
            }
        }
    }

    /**
     * Returns the image of a tensor: grey, coloured, or with alpha.
     *
     * @param pixels uint8 {@code [1, height, width]}, {@code [3, height, width]} or {@code [4, height, width]}
     */
    public static BufferedImage image(HostTensor pixels) {
        if (pixels.dtype() != DType.UINT8 || pixels.shape().rank() != COLOURS) {
            throw new OpException(
                    "images",
                    "uint8 [channels, height, width] are needed, got " + pixels.dtype() + pixels.shape()
                            + "; scale and cast floats first");
        }
        requireChannels(pixels.shape().size(0));
        int channels = (int) pixels.shape().size(0);
        int height = Math.toIntExact(pixels.shape().size(1));
        int width = Math.toIntExact(pixels.shape().size(2));
        BufferedImage image = new BufferedImage(width, height, type(channels));
        byte[] bytes = pixels.bytes();
        if (channels == GREY) {
            int[] levels = new int[bytes.length];
            Arrays.setAll(levels, place -> Byte.toUnsignedInt(bytes[place]));
            image.getRaster().setSamples(0, 0, width, height, 0, levels);
        } else {
            image.setRGB(0, 0, width, height, packed(bytes, channels), 0, width);
        }
        return image;
    }

    private static int type(int channels) {
        return switch (channels) {
            case GREY -> BufferedImage.TYPE_BYTE_GRAY;
            case COLOURS -> BufferedImage.TYPE_INT_RGB;
            default -> BufferedImage.TYPE_INT_ARGB;
        };
    }

    private static int[] packed(byte[] bytes, int channels) {
        int plane = bytes.length / channels;
        int[] pixels = new int[plane];
        for (int channel = 0; channel < channels; channel++) {
            for (int place = 0; place < plane; place++) {
                pixels[place] |= Byte.toUnsignedInt(bytes[channel * plane + place]) << SHIFTS[channel];
            }
        }
        return pixels;
    }
}
