package dev.outpost.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.io.Npy;
import dev.outpost.io.Safetensors;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ColorModel;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class FileDatasetsTest {
    @TempDir
    private Path folder;

    @Test
    void imagesHaveTheClassOfTheirFolder() throws IOException {
        image("dog/2.png", 4, 2, 0x102030);
        image("dog/more/1.png", 4, 2, 0);
        image("cat/b.png", 3, 5, 0xff0000);
        Files.writeString(folder.resolve("cat/notes.txt"), "no image");
        Files.writeString(folder.resolve("cat/.hidden.png"), "no image");
        Files.writeString(folder.resolve("readme.md"), "no class");
        ImageFolder images = ImageFolder.open(folder);
        assertEquals(List.of("cat", "dog"), images.classes());
        assertEquals(3, images.size());
        Example cat = images.item(0);
        assertEquals("uint8[3, 5, 3]", "" + cat.x().dtype() + cat.x().shape());
        assertEquals(255, cat.x().getLong(0), "red");
        assertEquals(0, cat.x().getLong(15), "green");
        assertEquals(HostTensor.scalar(0L), cat.y());
        Example dog = images.item(1);
        assertEquals(
                List.of(0x10L, 0x20L, 0x30L),
                List.of(dog.x().getLong(0), dog.x().getLong(8), dog.x().getLong(16)));
        assertEquals(HostTensor.scalar(1L), dog.y());
        assertTrue(images.file(2).endsWith("dog/more/1.png"));
    }

    @Test
    void imagesOfDifferentSizesAreScaledToOne() throws IOException {
        image("a/1.png", 40, 20, 0x808080);
        image("b/1.png", 8, 30, 0x808080);
        ImageFolder images = ImageFolder.open(folder);
        OutpostException refusal = assertThrows(
                OutpostException.class,
                () -> new DataLoader<>(images, 2).iterator().next());
        assertTrue(refusal.getMessage().contains("pad or resize them"), refusal::getMessage);
        Example batch = new DataLoader<>(images.size(6, 7).grey(), 2).iterator().next();
        assertEquals("uint8[2, 1, 6, 7]", "" + batch.x().dtype() + batch.x().shape());
        assertEquals(0x80, batch.x().getLong(20));
        assertEquals(HostTensor.of(new long[] {0, 1}), batch.y());
    }

    @Test
    void wrongFoldersAndFilesAreNamed() throws IOException {
        assertEquals(
                "ImageFolder: a folder has a folder for each class, and " + folder + " has none",
                assertThrows(OutpostException.class, () -> ImageFolder.open(folder))
                        .getMessage());
        Files.createDirectories(folder.resolve("a"));
        assertTrue(assertThrows(OutpostException.class, () -> ImageFolder.open(folder))
                .getMessage()
                .startsWith("ImageFolder: the class " + folder.resolve("a") + " has no images"));
        Files.writeString(folder.resolve("a/broken.png"), "not an image");
        OutpostException failure = assertThrows(
                OutpostException.class,
                () -> new DataLoader<>(ImageFolder.open(folder), 1).iterator().next());
        assertEquals(
                "DataLoader: element 0 cannot be loaded: images: " + folder.resolve("a/broken.png")
                        + " is no image that the JDK can read",
                failure.getMessage());
        assertThrows(UncheckedIOException.class, () -> ImageFolder.open(folder.resolve("none")));
    }

    @Test
    void greyLevelsAreKeptAtEachSize() throws IOException {
        write("a/bytes.png", grey(BufferedImage.TYPE_BYTE_GRAY, 64));
        write("a/shorts.png", grey(BufferedImage.TYPE_USHORT_GRAY, 64 << 8));
        write("a/with-alpha.png", greyWithAlpha());
        ImageFolder images = ImageFolder.open(folder);
        for (ImageFolder sized : List.of(images, images.size(2, 4), images.size(3, 5), images.grey())) {
            for (int index = 0; index < images.size(); index++) {
                assertLevel(64, sized.item(index).x(), images.file(index));
            }
        }
    }

    /** Pixels equal those of PIL's {@code convert("RGB")}. */
    @Test
    void transparencyIsDropped() throws IOException {
        BufferedImage white = new BufferedImage(4, 2, BufferedImage.TYPE_INT_ARGB);
        white.setRGB(
                0,
                0,
                4,
                2,
                new int[] {0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff, 0xffffff},
                0,
                4);
        write("a/white.png", white);
        ImageFolder images = ImageFolder.open(folder);
        for (ImageFolder sized : List.of(images, images.size(3, 5), images.grey())) {
            assertLevel(255, sized.item(0).x(), images.file(0));
        }
    }

    private static void assertLevel(long level, HostTensor pixels, Path file) {
        for (int index = 0; index < pixels.shape().elements(); index++) {
            assertEquals(level, pixels.getLong(index), () -> file + " " + pixels.shape());
        }
    }

    private static BufferedImage grey(int type, int level) {
        BufferedImage image = new BufferedImage(4, 2, type);
        image.getRaster().setSamples(0, 0, 4, 2, 0, levels(level));
        return image;
    }

    private static BufferedImage greyWithAlpha() {
        ColorModel model = new ComponentColorModel(
                ColorSpace.getInstance(ColorSpace.CS_GRAY),
                true,
                false,
                Transparency.TRANSLUCENT,
                DataBuffer.TYPE_BYTE);
        BufferedImage image = new BufferedImage(model, model.createCompatibleWritableRaster(4, 2), false, null);
        image.getRaster().setSamples(0, 0, 4, 2, 0, levels(64));
        return image;
    }

    private static int[] levels(int level) {
        int[] levels = new int[8];
        Arrays.fill(levels, level);
        return levels;
    }

    private void write(String name, BufferedImage image) throws IOException {
        Files.createDirectories(folder.resolve(name).getParent());
        assertTrue(ImageIO.write(image, "png", folder.resolve(name).toFile()));
    }

    @Test
    void linksToFoldersAreFollowed() throws IOException {
        image("store/1.png", 4, 2, 0);
        Path root = Files.createDirectories(folder.resolve("root/dog")).getParent();
        Files.createSymbolicLink(root.resolve("cat"), folder.resolve("store"));
        Files.createSymbolicLink(root.resolve("dog/more"), folder.resolve("store"));
        ImageFolder images = ImageFolder.open(root);
        assertEquals(List.of("cat", "dog"), images.classes());
        assertEquals(2, images.size());
        Path loop = Files.createSymbolicLink(root.resolve("dog/loop"), root);
        assertEquals(
                "ImageFolder: the folder " + loop.resolve("dog") + " contains itself by a link; remove the link",
                assertThrows(OutpostException.class, () -> ImageFolder.open(root))
                        .getMessage());
    }

    private void image(String name, int width, int height, int rgb) throws IOException {
        BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int x = 0; x < width; x++) {
            for (int y = 0; y < height; y++) {
                image.setRGB(x, y, rgb);
            }
        }
        write(name, image);
    }

    @Test
    void rowsOfSafetensorsAreReadByIndex() throws IOException {
        try (SafetensorsDataset dataset = SafetensorsDataset.open(pairs())) {
            assertEquals(3, dataset.size());
            Map<String, HostTensor> row = dataset.item(2);
            assertEquals(HostTensor.of(new float[] {5, 6}), row.get("x"));
            assertEquals(HostTensor.scalar(9L), row.get("y"));
            assertEquals(DType.INT64, row.get("y").dtype());
            assertThrows(IndexOutOfBoundsException.class, () -> dataset.item(3));
        }
    }

    /** An interrupt closes the channel of a file; other threads, and later epochs, read on. */
    @Test
    void anInterruptedReadDoesNotEndTheDataset() throws Exception {
        try (SafetensorsDataset dataset = SafetensorsDataset.open(pairs())) {
            Thread reader = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                assertThrows(UncheckedIOException.class, () -> dataset.item(0));
            });
            reader.join();
            assertEquals(HostTensor.scalar(7L), dataset.item(0).get("y"));
        }
    }

    @Test
    void rowsOfNpyFilesAreReadByIndex() throws Exception {
        Path file = folder.resolve("x.npy");
        Npy.write(file, HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2));
        NpyDataset dataset = NpyDataset.open(file);
        assertEquals(3, dataset.size());
        assertEquals(HostTensor.of(new float[] {5, 6}), dataset.item(2));
        assertThrows(IndexOutOfBoundsException.class, () -> dataset.item(3));
        HostTensor batch = new DataLoader<>(dataset, 2).prefetch(2).iterator().next();
        assertEquals(HostTensor.of(new float[] {1, 2, 3, 4}, 2, 2), batch);
        Thread.ofPlatform()
                .start(() -> {
                    Thread.currentThread().interrupt();
                    assertThrows(UncheckedIOException.class, () -> dataset.item(0));
                })
                .join();
        assertEquals(HostTensor.of(new float[] {3, 4}), dataset.item(1));
        dataset.close();
        OutpostException closed = assertThrows(OutpostException.class, () -> dataset.item(0));
        assertEquals("NpyDataset: " + file + " is closed", closed.getMessage());
    }

    @Test
    void wrongSafetensorsAreRefused() throws IOException {
        Path file = folder.resolve("odd.safetensors");
        Safetensors.write(
                file,
                Map.of("a", HostTensor.of(new float[2]), "b", HostTensor.of(new float[3]), "c", HostTensor.scalar(1)));
        OutpostException rows = assertThrows(OutpostException.class, () -> SafetensorsDataset.open(file, "a", "b"));
        assertTrue(rows.getMessage().startsWith("SafetensorsDataset: the tensors must have as many rows"));
        assertThrows(OutpostException.class, () -> SafetensorsDataset.open(file, "c"));
        assertThrows(OutpostException.class, () -> SafetensorsDataset.open(file, "none"));
        SafetensorsDataset closed = SafetensorsDataset.open(file, "a");
        closed.close();
        assertInstanceOf(OutpostException.class, assertThrows(RuntimeException.class, () -> closed.item(0)));
    }

    private Path pairs() throws IOException {
        Path file = folder.resolve("pairs.safetensors");
        Safetensors.write(
                file,
                Map.of("x", HostTensor.of(new float[] {1, 2, 3, 4, 5, 6}, 3, 2), "y", HostTensor.of(new long[] {7, 8, 9
                })));
        return file;
    }
}
