package dev.outpost.models.vision;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.models.architecture.ModelConfig;
import dev.outpost.source.Source;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * Prepares images for a model according to its {@code preprocessor_config.json}: resizes, crops, scales and normalises them, with the same
 * results as transformers and Pillow. Reading files needs the module {@code java.desktop}. Immutable and thread-safe.
 *
 * <pre>{@code
 * Tensor pixels = ImageProcessor.of(source).pixels(machine, List.of(Path.of("cat.png")));
 * Tensor scores = vit.logits(pixels);
 * }</pre>
 */
public final class ImageProcessor {
    static final String FILE = "preprocessor_config.json";
    private static final int CHANNELS = 3;

    private final String name;
    private final JsonNode config;

    private ImageProcessor(String name, JsonNode config) {
        this.name = name;
        this.config = config;
    }

    /** Returns the processor of a model. Fails if the model has no such file. Waits for the machine. */
    public static ImageProcessor of(Source source) {
        String name = source.uri() + ": " + FILE;
        return new ImageProcessor(
                name, ModelConfig.parse(name, source.text(FILE)).json());
    }

    static ImageProcessor of(String name, JsonNode config) {
        return new ImageProcessor(name, config);
    }

    /** Returns the images of files, {@code [images, 3, height, width]}, float32. */
    public Tensor pixels(RemoteMachine machine, List<Path> files) {
        return ofImages(machine, files.stream().map(ImageProcessor::read).toList());
    }

    /** Returns images in memory, in the form of {@link #pixels}. */
    public Tensor ofImages(RemoteMachine machine, List<BufferedImage> images) {
        if (images.isEmpty()) {
            throw new OutpostException(FaultKind.USER, "images: at least one is needed");
        }
        List<RgbImage> sized =
                images.stream().map(RgbImage::of).map(this::sized).toList();
        int height = sized.getFirst().height();
        int width = sized.getFirst().width();
        float[] all = new float[sized.size() * CHANNELS * height * width];
        for (int place = 0; place < sized.size(); place++) {
            RgbImage image = sized.get(place);
            if (image.height() != height || image.width() != width) {
                throw new OutpostException(
                        FaultKind.USER,
                        "images: the model keeps sizes, and these differ: " + width + " x " + height + " and "
                                + image.width() + " x " + image.height());
            }
            write(image, all, place * CHANNELS * height * width);
        }
        return machine.tensor(all, sized.size(), CHANNELS, height, width);
    }

    private static BufferedImage read(Path file) {
        try {
            BufferedImage image = ImageIO.read(file.toFile());
            if (image == null) {
                throw new OutpostException(FaultKind.USER, "images: " + file + " is no image of a kind that is known");
            }
            return image;
        } catch (IOException failure) {
            throw new UncheckedIOException("images: " + file + " cannot be read", failure);
        }
    }

    private RgbImage resized(RgbImage image) {
        JsonNode size = config.path("size");
        int height = size.isInt() ? size.asInt() : size.path("height").asInt();
        int width = size.isInt() ? size.asInt() : size.path("width").asInt();
        if (size.has("shortest_edge")) {
            int shortest = size.get("shortest_edge").asInt();
            boolean isTall = image.height() > image.width();
            int longest = (int) ((long) shortest
                    * Math.max(image.height(), image.width())
                    / Math.min(image.height(), image.width()));
            height = isTall ? longest : shortest;
            width = isTall ? shortest : longest;
        }
        if (height < 1 || width < 1) {
            throw new OutpostException(FaultKind.USER, name + ": a size is missing, got " + size);
        }
        return image.resized(width, height, config.path("resample").asInt(2));
    }

    private RgbImage sized(RgbImage image) {
        RgbImage resized = config.path("do_resize").asBoolean(true) ? resized(image) : image;
        if (!config.path("do_center_crop").asBoolean(false)) {
            return resized;
        }
        JsonNode crop = config.path("crop_size");
        int height = crop.isInt() ? crop.asInt() : crop.path("height").asInt();
        int width = crop.isInt() ? crop.asInt() : crop.path("width").asInt();
        return resized.cropped(width, height);
    }

    private void write(RgbImage image, float[] target, int at) {
        boolean scales = config.path("do_rescale").asBoolean(true);
        boolean normalizes = config.path("do_normalize").asBoolean(true);
        double factor = scales ? config.path("rescale_factor").asDouble(1 / 255.0) : 1;
        int plane = image.height() * image.width();
        for (int channel = 0; channel < CHANNELS; channel++) {
            double mean = normalizes ? config.path("image_mean").path(channel).asDouble(0.5) : 0;
            double deviation =
                    normalizes ? config.path("image_std").path(channel).asDouble(0.5) : 1;
            for (int pixel = 0; pixel < plane; pixel++) {
                double value = image.values()[CHANNELS * pixel + channel] * factor;
                target[at + channel * plane + pixel] = (float) ((value - mean) / deviation);
            }
        }
    }
}
