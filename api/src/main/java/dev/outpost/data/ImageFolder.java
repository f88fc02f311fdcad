package dev.outpost.data;

import dev.outpost.HostTensor;
import dev.outpost.client.calls.ArgumentChecks;
import dev.outpost.io.Images;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OpException;
import dev.outpost.types.OutpostException;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

/**
 * The images below a folder that has a folder for each class, as {@code torchvision.datasets.ImageFolder}: {@code root/cat/1.png}, {@code
 * root/dog/a/2.jpg}. Classes are in the order of their names, and so are the images of a class.
 *
 * {@snippet file="DataExamplesTest.java" region="imageFolder"}
 *
 * <p>An element has the pixels, uint8 {@code [channels, height, width]}, and the number of the class, an int64 scalar. Cast and scale batches on
 * the machine, since bytes are the fewest to send. The JDK reads PNG, JPEG, GIF, BMP and TIFF. Needs the module {@code java.desktop}, but no
 * screen. Thread-safe.
 */
public final class ImageFolder implements Dataset<Example> {
    private static final Set<String> EXTENSIONS = Set.of("png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff");
    private static final int COLOURS = 3;

    private final List<String> classes;
    private final List<Labelled> files;
    private final int channels;
    private final int width;
    private final int height;

    private record Labelled(Path file, int label) {}

    private ImageFolder(List<String> classes, List<Labelled> files, int channels, int height, int width) {
        this.classes = classes;
        this.files = files;
        this.channels = channels;
        this.height = height;
        this.width = width;
    }

    /** Finds the images. They are read when they are asked for, in three channels and their own sizes. */
    public static ImageFolder open(Path root) {
        ArgumentChecks.required(root, "the folder");
        List<Path> folders =
                list(root, root).stream().filter(Files::isDirectory).toList();
        if (folders.isEmpty()) {
            throw problem("a folder has a folder for each class, and " + root + " has none");
        }
        List<Labelled> files = new ArrayList<>();
        for (int label = 0; label < folders.size(); label++) {
            int before = files.size();
            for (Path file : walk(folders.get(label))) {
                files.add(new Labelled(file, label));
            }
            if (files.size() == before) {
                throw problem("the class " + folders.get(label) + " has no images; known extensions are "
                        + EXTENSIONS.stream().sorted().toList());
            }
        }
        List<String> classes =
                folders.stream().map(folder -> folder.getFileName().toString()).toList();
        return new ImageFolder(classes, List.copyOf(files), COLOURS, 0, 0);
    }

    private static List<Path> list(Path folder, Path root) {
        try (Stream<Path> found = Files.list(folder)) {
            return found.filter(path -> !path.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException("images: " + root + " cannot be read", failure);
        }
    }

    private static List<Path> walk(Path folder) {
        try (Stream<Path> found = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            return found.filter(file -> isImage(file) && Files.isRegularFile(file))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException failure) {
            throw unreadable(folder, failure.getCause());
        } catch (IOException failure) {
            throw unreadable(folder, failure);
        }
    }

    private static RuntimeException unreadable(Path folder, IOException failure) {
        return failure instanceof FileSystemLoopException loop
                ? problem("the folder " + loop.getFile() + " contains itself by a link; remove the link")
                : new UncheckedIOException("images: " + folder + " cannot be read", failure);
    }

    private static boolean isImage(Path file) {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        return !name.startsWith(".") && EXTENSIONS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    /** Returns the dataset with images that are scaled to this size, so that they can be stacked. */
    public ImageFolder size(int newHeight, int newWidth) {
        if (newHeight < 1 || newWidth < 1) {
            throw problem("a size is at least 1 by 1, got " + newHeight + " by " + newWidth);
        }
        return new ImageFolder(classes, files, channels, newHeight, newWidth);
    }

    /** Returns the dataset with images of one channel, the grey levels. */
    public ImageFolder grey() {
        return new ImageFolder(classes, files, 1, height, width);
    }

    /** Returns the names of the classes; the index is the label. */
    public List<String> classes() {
        return classes;
    }

    /** Returns the file of an element. */
    public Path file(int index) {
        return files.get(index).file;
    }

    @Override
    public int size() {
        return files.size();
    }

    @Override
    public Example item(int index) {
        Labelled one = files.get(index);
        return new Example(Images.of(drawn(opaque(read(one.file))), channels), HostTensor.scalar((long) one.label));
    }

    private static BufferedImage read(Path file) {
        BufferedImage image;
        try {
            image = ImageIO.read(file.toFile());
        } catch (IOException failure) {
            throw new UncheckedIOException("images: " + file + " cannot be read: " + failure.getMessage(), failure);
        }
        if (image == null) {
            throw new OutpostException(FaultKind.USER, "images: " + file + " is no image that the JDK can read");
        }
        return image;
    }

    /** Drops transparency as {@code convert("RGB")} does in PIL: the colours of transparent pixels are kept. */
    private static BufferedImage opaque(BufferedImage image) {
        int width = image.getWidth();
        int height = image.getHeight();
        if (isGrey(image)) {
            int excessBits = image.getColorModel().getComponentSize(0) - Byte.SIZE;
            int[] levels = image.getRaster().getSamples(0, 0, width, height, 0, (int[]) null);
            Arrays.setAll(levels, place -> levels[place] >> excessBits);
            BufferedImage grey = new BufferedImage(width, height, BufferedImage.TYPE_BYTE_GRAY);
            grey.getRaster().setSamples(0, 0, width, height, 0, levels);
            return grey;
        }
        if (!image.getColorModel().hasAlpha()) {
            return image;
        }
        BufferedImage colours = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        colours.setRGB(0, 0, width, height, image.getRGB(0, 0, width, height, null, 0, width), 0, width);
        return colours;
    }

    /** Returns true if the samples are grey levels of 8 or more bits. The JDK reads fewer bits as indices of colours. */
    private static boolean isGrey(BufferedImage image) {
        return image.getColorModel() instanceof ComponentColorModel model
                && model.getColorSpace().getType() == ColorSpace.TYPE_GRAY
                && model.getTransferType() != DataBuffer.TYPE_FLOAT
                && model.getTransferType() != DataBuffer.TYPE_DOUBLE
                && model.getComponentSize(0) >= Byte.SIZE;
    }

    private BufferedImage drawn(BufferedImage image) {
        int toWidth = width == 0 ? image.getWidth() : width;
        int toHeight = height == 0 ? image.getHeight() : height;
        // Drawing copies grey levels. A grey image's getRGB would convert them, because its colour space is linear.
        if (channels != 1 && !isGrey(image) && toWidth == image.getWidth() && toHeight == image.getHeight()) {
            return image;
        }
        BufferedImage drawn = new BufferedImage(
                toWidth, toHeight, channels == 1 ? BufferedImage.TYPE_BYTE_GRAY : BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = drawn.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(image, 0, 0, toWidth, toHeight, null);
        graphics.dispose();
        return drawn;
    }

    private static OpException problem(String sentence) {
        return new OpException("ImageFolder", sentence);
    }
}
