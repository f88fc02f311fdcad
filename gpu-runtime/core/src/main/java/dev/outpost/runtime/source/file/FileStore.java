package dev.outpost.runtime.source.file;

import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.files.ReadableFile;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreFile;
import dev.outpost.runtime.source.WritableBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Reads and writes files below the folders that the machine may open, by path or by volume. Links that lead out of
 * these folders are refused. Hidden files and folders are ignored.
 */
final class FileStore implements Store {
    private static final int MAX_DEEP = 8;
    private static final int MAX_SEEN = 20_000;

    private final SourceSettings settings;
    private final Places places;

    FileStore(SourceSettings settings, Places places) {
        this.settings = settings;
        this.places = places;
    }

    @Override
    public List<StoreFile> list(String uri) throws IOException {
        Path place = places.path(uri);
        if (!Files.exists(place)) {
            throw new SourceNotFoundException(uri);
        }
        requireAllowed(uri, place);
        if (Files.isRegularFile(place)) {
            return List.of(stored(uri, place.getParent(), place));
        }
        return listFolder(uri, place);
    }

    private List<StoreFile> listFolder(String uri, Path folder) throws IOException {
        try (Stream<Path> found = Files.walk(folder, MAX_DEEP, FileVisitOption.FOLLOW_LINKS)) {
            return found.limit(MAX_SEEN)
                    .filter(file -> !isHidden(folder.relativize(file)) && Files.isRegularFile(file))
                    .map(file -> stored(uri, folder, file))
                    .toList();
        } catch (UncheckedIOException failure) {
            if (failure.getCause() instanceof FileSystemLoopException) {
                throw new IOException("open: the folders of " + uri + " are a circle of links", failure.getCause());
            }
            throw failure.getCause();
        }
    }

    private static boolean isHidden(Path relative) {
        for (Path part : relative) {
            if (part.toString().startsWith(".")) {
                return true;
            }
        }
        return false;
    }

    private static String path(Path folder, Path file) {
        return folder.relativize(file).toString().replace('\\', '/');
    }

    private StoreFile stored(String uri, Path folder, Path file) {
        try {
            requireAllowed(uri, file);
            BasicFileAttributes about = Files.readAttributes(file, BasicFileAttributes.class);
            String path = path(folder, file);
            return new StoreFile(path, about.size(), version(about));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static String version(BasicFileAttributes about) {
        return about.lastModifiedTime().to(java.util.concurrent.TimeUnit.NANOSECONDS) + "-" + about.size();
    }

    @Override
    public ReadableBytes open(String uri, StoreFile file) throws IOException {
        Path place = places.path(uri);
        Path path = Files.isRegularFile(place) ? place : place.resolve(file.path());
        requireAllowed(uri, path);
        ReadableFile opened = ReadableFile.open(path, uri + ": " + file.path());
        boolean isSame = false;
        try {
            isSame = version(Files.readAttributes(path, BasicFileAttributes.class))
                    .equals(file.version());
        } finally {
            if (!isSame) {
                opened.close();
            }
        }
        if (!isSame) {
            throw new IOException(uri + ": " + file.path() + " was changed after the source was opened");
        }
        return opened;
    }

    @Override
    public WritableBytes create(String uri, String path) throws IOException {
        Path target = places.path(uri).resolve(path).normalize();
        makeAllowed(target);
        Path known = target.getParent();
        while (!Files.exists(known, LinkOption.NOFOLLOW_LINKS)) {
            known = known.getParent();
        }
        requireAllowed(uri, known);
        createFolders(target.getParent());
        return new NewFile(target);
    }

    /** Creates a folder and its parents, and forces the names of new folders to the disk, so that no file in them is lost. */
    private static void createFolders(Path folder) throws IOException {
        List<Path> parents = new ArrayList<>();
        for (Path each = folder; !Files.exists(each, LinkOption.NOFOLLOW_LINKS); each = each.getParent()) {
            parents.add(each.getParent());
        }
        Files.createDirectories(folder);
        for (Path parent : parents) {
            NewFile.force(parent);
        }
    }

    /**
     * Creates the allowed folder that contains a destination, because a folder in the settings need not exist before
     * the first write.
     */
    private void makeAllowed(Path target) throws IOException {
        for (Path allowed : places.folders()) {
            Path folder = allowed.normalize();
            if (target.startsWith(folder) && !Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
                createFolders(folder);
            }
        }
    }

    /** Also deletes parent folders that become empty. */
    @Override
    public void delete(String uri, String path) throws IOException {
        Path place = places.path(uri);
        Path file = place.resolve(path);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        requireAllowed(uri, file);
        Files.deleteIfExists(file);
        deleteEmpty(file.getParent(), place);
    }

    /** Deletes a folder and its parents up to a place, as far as they are empty. */
    private static void deleteEmpty(Path deepest, Path place) throws IOException {
        try {
            for (Path folder = deepest; folder.startsWith(place) && isEmpty(folder); folder = folder.getParent()) {
                Files.delete(folder);
            }
        } catch (NoSuchFileException | DirectoryNotEmptyException ignored) {
            // Another thread has deleted the folder, or has created a file in it.
        }
    }

    @Override
    public void deleteDrafts(String uri, Predicate<String> isWanted) throws IOException {
        Path place = places.path(uri);
        if (!Files.isDirectory(place)) {
            return;
        }
        requireAllowed(uri, place);
        List<Path> drafts;
        try (Stream<Path> found = Files.walk(place, MAX_DEEP)) {
            drafts = found.filter(file -> NewFile.targetOf(file)
                            .map(name -> path(place, file.resolveSibling(name)))
                            .filter(isWanted)
                            .isPresent())
                    .toList();
        }
        for (Path draft : drafts) {
            Files.deleteIfExists(draft);
            deleteEmpty(draft.getParent(), place);
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> found = Files.list(folder)) {
            return found.findAny().isEmpty();
        }
    }

    /** Fails if a file is outside of the allowed folders. Checks the targets of links, not their names. */
    private void requireAllowed(String uri, Path file) throws IOException {
        Path real;
        try {
            real = file.toRealPath();
        } catch (NoSuchFileException ignored) {
            throw new SourceNotFoundException(uri + " but a link to nowhere: " + file.getFileName());
        }
        for (Path folder : places.folders()) {
            if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && real.startsWith(folder.toRealPath())) {
                return;
            }
        }
        throw settings.refusal(uri + " (" + file.getFileName() + " leads elsewhere)");
    }
}
