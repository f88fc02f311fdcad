package dev.outpost.runtime.cuda.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class SearchPlacesTest {
    @TempDir
    private Path root;

    private Path folder(String path) throws IOException {
        return Files.createDirectories(root.resolve(path));
    }

    private Path wheel(String path, String library) throws IOException {
        return Files.createFile(folder(path).resolve(library)).getParent();
    }

    private List<SearchPlace> places(Map<String, String> environment) {
        return SearchPlaces.of(Optional.empty(), environment, root);
    }

    @Test
    void withoutAnythingTheSystemIsAsked() {
        assertEquals(List.of(SearchPlace.SYSTEM_LOADER), places(Map.of()));
    }

    @Test
    void theSettingComesFirstAndNeedNotExist() {
        String value = "/opt/a" + File.pathSeparator + "/opt/b";
        assertEquals(
                List.of(
                        SearchPlace.folder("OUTPOST_CUDA_LIBRARIES", Path.of("/opt/a")),
                        SearchPlace.folder("OUTPOST_CUDA_LIBRARIES", Path.of("/opt/b")),
                        SearchPlace.SYSTEM_LOADER),
                places(Map.of("OUTPOST_CUDA_LIBRARIES", value)));
    }

    @Test
    void thePropertyReplacesTheVariable() {
        assertEquals(
                List.of(SearchPlace.folder("outpost.cuda.libraries", Path.of("/opt/a")), SearchPlace.SYSTEM_LOADER),
                SearchPlaces.of(Optional.of("/opt/a"), Map.of("OUTPOST_CUDA_LIBRARIES", "/opt/b"), root));
    }

    @Test
    void toolkitsFollowTheSystem() throws IOException {
        Path home = folder("opt/cuda/lib64").getParent();
        Path targets = folder("opt/cuda/targets/x86_64-linux/lib");
        Path older = folder("usr/local/cuda-12.6/lib64");
        Path newer = folder("usr/local/cuda-13.0/lib64");
        assertEquals(
                List.of(
                        SearchPlace.SYSTEM_LOADER,
                        SearchPlace.folder("CUDA_HOME", home.resolve("lib64")),
                        SearchPlace.folder("CUDA_HOME", targets),
                        SearchPlace.folder("a toolkit", newer),
                        SearchPlace.folder("a toolkit", older)),
                places(Map.of("CUDA_HOME", home.toString())));
    }

    @Test
    void wheelsComeLastAndOnlyWithALibrary() throws IOException {
        Path nvrtc = wheel("venv/lib/python3.12/site-packages/nvidia/cuda_nvrtc/lib", "libnvrtc.so.12");
        Path both = wheel("packages/nvidia/cu13/lib", "libcublasLt.so.13");
        folder("packages/nvidia/cudnn/lib");
        assertEquals(
                List.of(
                        SearchPlace.SYSTEM_LOADER,
                        SearchPlace.folder("a Python wheel", both),
                        SearchPlace.folder("a Python wheel", nvrtc)),
                places(Map.of(
                        "PATH", root.resolve("venv/bin").toString(),
                        "PYTHONPATH", root.resolve("packages").toString())));
    }
}
