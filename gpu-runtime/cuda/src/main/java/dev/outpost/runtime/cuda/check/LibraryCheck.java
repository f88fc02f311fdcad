package dev.outpost.runtime.cuda.check;

import dev.outpost.runtime.cuda.blas.CublasLt;
import dev.outpost.runtime.cuda.compile.Nvrtc;
import dev.outpost.runtime.cuda.library.CudaLibrary;
import dev.outpost.runtime.cuda.library.LibrarySearch;
import dev.outpost.runtime.cuda.library.LoadedLibrary;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Reports the searches for libraries, and binds the libraries that were found. */
record LibraryCheck(Consumer<CheckResult> results) {
    /** Binds the compiler. The compiler works without a GPU, so this method also compiles a kernel. */
    Optional<Nvrtc> nvrtc(LibrarySearch search) {
        Optional<Nvrtc> nvrtc = bind(search, Nvrtc::new, LibraryCheck::description);
        nvrtc.ifPresent(compiler -> results.accept(CompileCheck.run(compiler)));
        return nvrtc;
    }

    Optional<CublasLt> cublasLt(LibrarySearch search) {
        return bind(search, CublasLt::new, library -> library.version().toString());
    }

    private static String description(Nvrtc nvrtc) {
        List<Integer> architectures = nvrtc.architectures();
        return nvrtc.version() + ", for compute capabilities " + capability(architectures.getFirst()) + " to "
                + capability(architectures.getLast());
    }

    private static String capability(int architecture) {
        return architecture / 10 + "." + architecture % 10;
    }

    private <T> Optional<T> bind(LibrarySearch search, Function<LoadedLibrary, T> bind, Function<T, String> describe) {
        String name = search.library().title();
        if (search.found().isEmpty()) {
            results.accept(notFound(name, search));
            return Optional.empty();
        }
        LoadedLibrary library = search.found().get();
        try {
            T bound = bind.apply(library);
            results.accept(CheckResult.ok(name, describe.apply(bound) + ", " + library.file()));
            return Optional.of(bound);
        } catch (RuntimeException failure) {
            results.accept(CheckResult.failed(
                    name,
                    library.file() + ": " + failure.getMessage(),
                    "Put a library of CUDA 12 or 13 into " + SearchPlaces.ENVIRONMENT + "."));
            return Optional.empty();
        }
    }

    /** Returns a failure if a file was rejected, since its owner wanted it to be used. Otherwise the library is absent. */
    private static CheckResult notFound(String name, LibrarySearch search) {
        String remedy = remedy(search.library());
        List<String> rejected = search.rejected();
        return rejected.isEmpty()
                ? CheckResult.absent(name, "not found", remedy)
                : CheckResult.failed(name, String.join("; ", rejected), remedy);
    }

    private static String remedy(CudaLibrary library) {
        String files = CudaLibrary.MAJORS.stream().map(library::file).collect(Collectors.joining(" or "));
        return "Install it with CUDA 12 or 13, or name the folder of " + files + " in " + SearchPlaces.ENVIRONMENT
                + ".";
    }
}
