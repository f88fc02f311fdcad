package dev.outpost.torch.fuzz;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** Makes PyTorch write its results at the singular points of its ops to a pack, for a comparison with Outpost's ops. */
public final class SingularPack {
    private SingularPack() {}

    /**
     * Writes {@code cases.jsonl} and {@code tensors.safetensors}.
     *
     * @param python the Python interpreter with PyTorch
     * @param out receives the output of the script
     * @return the status of the script; also 0 if there is no Python with PyTorch, which is then reported
     */
    public static int write(String python, Path folder, PrintWriter out) throws IOException {
        try (TorchSide torch = TorchSide.open(python)) {
            out.println("PyTorch " + torch.version());
        } catch (NoTorchException failure) {
            out.println("skipped: no Python with PyTorch was found, " + failure.getMessage());
            return 0;
        }
        Process process = new ProcessBuilder(
                        python, "-c", TorchProcess.script("singular_gradients.py"), folder.toString())
                .redirectErrorStream(true)
                .start();
        process.inputReader().lines().forEach(out::println);
        out.flush();
        return process.onExit().join().exitValue();
    }
}
