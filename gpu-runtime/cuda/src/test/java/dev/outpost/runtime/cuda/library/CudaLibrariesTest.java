package dev.outpost.runtime.cuda.library;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Tests the search in folders with copies of a JDK library, which can be loaded but is not CUDA's. */
@Tag("quick")
@EnabledOnOs(value = OS.LINUX, disabledReason = "CUDA's libraries are loaded on Linux only")
class CudaLibrariesTest {
    private static final Path LOADABLE = Path.of(System.getProperty("java.home"), "lib", "libjimage.so");

    @TempDir
    private Path root;

    private Path first;
    private Path second;

    @BeforeEach
    void makeFolders() throws IOException {
        first = Files.createDirectory(root.resolve("first"));
        second = Files.createDirectory(root.resolve("second"));
    }

    private LibrarySearch find(CudaLibrary library, Optional<CudaVersion> driver) {
        List<SearchPlace> places = List.of(SearchPlace.folder("1", first), SearchPlace.folder("2", second));
        return new CudaLibraries(places, driver).find(library);
    }

    private LibrarySearch find(CudaLibrary library) {
        return find(library, Optional.empty());
    }

    private static Path put(Path folder, String name) throws IOException {
        return Files.copy(LOADABLE, folder.resolve(name));
    }

    private static List<String> outcomes(LibrarySearch search) {
        return search.attempts().stream().map(LibrarySearch.Attempt::outcome).toList();
    }

    private static Path file(LibrarySearch search) {
        return search.found().orElseThrow().file();
    }

    @Test
    void nothingFoundIsNothingRejected() {
        LibrarySearch search = find(CudaLibrary.CUBLAS_LT);
        assertEquals(List.of("", ""), outcomes(search));
        assertEquals(List.of(), search.rejected());
    }

    @Test
    void theFirstPlaceWinsOverANewerMajor() throws IOException {
        Path older = put(first, "libcublasLt.so.12");
        put(second, "libcublasLt.so.13");
        assertEquals(older, file(find(CudaLibrary.CUBLAS_LT)));
    }

    @Test
    void withinAPlaceTheNewestMajorWins() throws IOException {
        put(first, "libcublasLt.so.12");
        Path newer = put(first, "libcublasLt.so.13");
        LibrarySearch search = find(CudaLibrary.CUBLAS_LT);
        assertEquals(newer, file(search));
        assertEquals(List.of("libcublasLt.so.13 taken"), outcomes(search));
    }

    @Test
    void aMajorAboveTheDriversIsPassedOver() throws IOException {
        put(first, "libcublasLt.so.13");
        Path older = put(second, "libcublasLt.so.12");
        LibrarySearch search = find(CudaLibrary.CUBLAS_LT, Optional.of(CudaVersion.ofDriver(12040)));
        assertEquals(older, file(search));
        assertEquals(
                List.of("libcublasLt.so.13 is newer than the driver, which supports CUDA 12.4"), search.rejected());
    }

    @Test
    void nvrtcNeedsItsBuiltinsBesideIt() throws IOException {
        put(first, "libnvrtc.so.13");
        Path whole = put(second, "libnvrtc.so.12");
        put(second, "libnvrtc-builtins.so.12.9");
        LibrarySearch search = find(CudaLibrary.NVRTC);
        assertEquals(whole, file(search));
        assertEquals(List.of("libnvrtc.so.13 lacks libnvrtc-builtins.so.* beside it"), search.rejected());
    }

    @Test
    void aFileThatIsNoLibraryIsRejectedWithTheLoadersReason() throws IOException {
        Path broken = Files.writeString(first.resolve("libcublasLt.so.13"), "no library");
        LibrarySearch search = find(CudaLibrary.CUBLAS_LT);
        assertEquals(Optional.empty(), search.found());
        String outcome = outcomes(search).getFirst();
        assertTrue(outcome.startsWith(broken + " does not load: " + broken + ": "), outcome);
    }
}
