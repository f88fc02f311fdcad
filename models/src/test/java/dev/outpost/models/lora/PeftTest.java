package dev.outpost.models.lora;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.models.CausalLM;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PEFT itself loads what was saved here, where there is a Python that has it. */
class PeftTest {
    private static final String PROGRAM = """
            import sys, torch
            from peft import PeftModel
            from transformers import AutoModelForCausalLM
            model = AutoModelForCausalLM.from_pretrained(sys.argv[1], dtype=torch.float32, attn_implementation="eager")
            model = PeftModel.from_pretrained(model, sys.argv[2]).eval()
            ids = torch.tensor([[1, 17, 33, 5]])
            print("SUM %.6f" % model(input_ids=ids, attention_mask=torch.ones_like(ids)).logits.abs().sum().item())
            """;

    @TempDir
    private Path folder;

    @Test
    void peftComputesWithASavedAdapterWhatIsComputedHere() throws Exception {
        String python = Optional.ofNullable(System.getenv("OUTPOST_PYTHON")).orElse("python3");
        assumeTrue(hasPeft(python), "there is no Python with peft and transformers: OUTPOST_PYTHON names one");
        String base = PeftTest.class.getResource("/fixtures/llama").getPath();
        double here;
        try (RemoteMachine machine = RemoteMachine.of(
                        "mock", "any", new MachineOptions().option("sources", "file:" + base + ",file:" + folder));
                CausalLM model = CausalLM.load(machine, "file:" + base)) {
            machine.manualSeed(3);
            LoraAdapter adapter =
                    LoraAdapter.on(model.module(), LoraConfig.rank(3).alpha(6));
            GradMode.noGrad(
                    () -> adapter.layers().values().forEach(layer -> layer.up().fill_(0.1)));
            PeftFiles.save(adapter, "file:" + folder.resolve("adapter"), base).join();
            try (Tensor logits = model.logits(machine.tensor(new long[] {1, 17, 33, 5}, 1, 4))) {
                here = logits.abs().sum().itemDouble();
            }
        }
        Process process = new ProcessBuilder(
                        python, "-c", PROGRAM, base, folder.resolve("adapter").toString())
                .redirectErrorStream(true)
                .start();
        String text = new String(process.getInputStream().readAllBytes());
        assertEquals(0, process.waitFor(), text);
        String sum =
                text.lines().filter(line -> line.startsWith("SUM ")).findFirst().orElseThrow();
        assertEquals(Double.parseDouble(sum.substring(4)), here, 1e-3, text);
    }

    private static boolean hasPeft(String python) throws InterruptedException {
        try {
            return new ProcessBuilder(python, "-c", "import peft, transformers")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException ignored) {
            return false;
        }
    }
}
