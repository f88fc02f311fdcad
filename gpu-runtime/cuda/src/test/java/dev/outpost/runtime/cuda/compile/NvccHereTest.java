package dev.outpost.runtime.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the calls of nvcc, with a program that prints its arguments. */
@Tag("quick")
class NvccHereTest {
    private static final String PROGRAM = """
            #!/bin/sh
            if [ "$1" = --list-gpu-arch ]; then printf 'compute_75\\ncompute_90\\ncompute_100\\n'; exit; fi
            for last; do :; done
            if grep -q wrong "$last"; then echo "outpost.cu(1): error: wrong"; exit 2; fi
            for each; do case $each in --output-file=*) out=${each#*=} ;; esac; done
            echo "$1 $2 $3 $4 $5 $(cat "$last")" >"$out"
            """;

    @TempDir
    private Path folder;

    private KernelCompilers nvcc() throws IOException {
        Path program = Files.writeString(folder.resolve("nvcc"), PROGRAM);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        return NvccHere.find("/nowhere:" + folder).orElseThrow();
    }

    @Test
    void itIsFoundOnThePath() {
        assertEquals(Optional.empty(), NvccHere.find("/nowhere:" + folder));
    }

    @Test
    void itCompilesAsTheLibraryDoes() throws IOException {
        assertEquals(List.of(75, 90, 100), nvcc().known());
        assertEquals(
                "--cubin --gpu-architecture=sm_90 --fmad=false --disable-warnings --expt-relaxed-constexpr a source\n",
                new String(nvcc().compile("a source", 90), StandardCharsets.UTF_8));
    }

    @Test
    void compileErrorHasTheCompilersLog() throws IOException {
        KernelCompilers nvcc = nvcc();
        CompilationException failure = assertThrows(CompilationException.class, () -> nvcc.compile("wrong", 90));
        assertEquals("outpost.cu(1): error: wrong", failure.log());
    }
}
