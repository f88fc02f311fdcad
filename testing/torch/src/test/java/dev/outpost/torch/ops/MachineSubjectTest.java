package dev.outpost.torch.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.torch.ParityFiles;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.torch.ParityPack;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The texts that are an answer and those that are a refusal: a = [1, 2], b = [3, 4], sum = [4, 6]. */
class MachineSubjectTest {
    private static final String A = "{\"tensor\":\"a\"}";
    private static final String B = "{\"tensor\":\"b\"}";

    @TempDir
    private Path folder;

    private ParityOutcome judge(String op, String arguments, String keywords, String rest) throws IOException {
        ParityFiles.pack(
                folder,
                "{\"id\":\"x\",\"op\":\"" + op + "\",\"args\":[" + arguments + "],\"kwargs\":{" + keywords + "}," + rest
                        + "}");
        try (ParityPack pack = ParityPack.open(folder);
                MachineSubject subject = new MachineSubject(RemoteMachine.of("mock", "A100"))) {
            return new ParityJudge(subject, pack).judge(pack.cases().get(0));
        }
    }

    private boolean countsAsRefusal(String op, String arguments, String keywords) throws IOException {
        return judge(op, arguments, keywords, "\"error\":true,\"torch_message\":\"\"")
                .passed();
    }

    @Test
    void computesAndDifferentiates() throws IOException {
        String leaf = "{\"tensor\":\"a\",\"requires_grad\":true}";
        String answer = "\"outputs\":[\"sum\"],\"cotangents\":{\"0\":\"b\"},\"grads\":[\"b\"]";
        assertTrue(judge("add", leaf + "," + B, "", answer).passed());
        assertEquals(
                "gradient 0, element [0]: got 3.0, expected 1.0 within 1.1e-05",
                judge("add", leaf + "," + B, "", answer.replace("[\"b\"]", "[\"a\"]"))
                        .difference()
                        .orElseThrow());
    }

    @Test
    void anOpThatFindsTheCallWrongRefuses() throws IOException {
        assertTrue(countsAsRefusal("transpose", A + ",0,5", ""));
    }

    @Test
    void aTypeThatNoOverloadTakesIsARefusal() throws IOException {
        assertTrue(countsAsRefusal("fmax", "2,3", ""));
        assertTrue(countsAsRefusal("nn.functional.l1_loss", A + "," + B, "\"reduction\":\"abc\""));
    }

    @Test
    void anOpThatDoesNotExistRefusesNothing() throws IOException {
        assertFalse(countsAsRefusal("no_such_op", "2,3", ""));
    }

    @Test
    void aFormThatIsNotInTheTableIsNoRefusal() throws IOException {
        assertFalse(countsAsRefusal("gather", A + ",0," + B, "\"sparse_grad\":true"));
        assertFalse(countsAsRefusal("transpose", A + ",0,0.5", ""));
    }

    @Test
    void outIsRefused() throws IOException {
        assertTrue(countsAsRefusal("add", A + "," + B, "\"out\":" + A));
    }

    @Test
    void computedResultIsNoRefusal() throws IOException {
        assertFalse(countsAsRefusal("add", A + "," + B, ""));
    }
}
