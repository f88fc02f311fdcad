package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.torch.Argument.TensorArgument;
import dev.outpost.torch.ParityAnswer;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParityReport;
import dev.outpost.torch.ParitySubject;
import dev.outpost.types.OpException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The shipped pack can be read, and a subject with PyTorch's answers passes it. */
class ParityPackTest {
    private static Path folder() throws URISyntaxException {
        return Path.of(ParityPackTest.class.getResource("/parity/cases.jsonl").toURI())
                .getParent();
    }

    @Test
    void holdsWhatItsReadmeSays() throws Exception {
        try (ParityPack pack = ParityPack.open(folder())) {
            assertEquals(3815, pack.cases().size());
            assertEquals(
                    513, pack.cases().stream().map(ParityCase::op).distinct().count());
            assertEquals(
                    1940,
                    pack.cases().stream()
                            .filter(one -> !one.cotangents().isEmpty())
                            .count());
            assertEquals(
                    202, pack.cases().stream().filter(ParityCase::isRefused).count());
        }
    }

    @Test
    void gradientsAreOfLeavesAndTensorsAreThere() throws Exception {
        try (ParityPack pack = ParityPack.open(folder())) {
            pack.cases().stream().filter(one -> !one.cotangents().isEmpty()).forEach(one -> {
                assertEquals(one.leaves().size(), one.gradients().size(), one.id());
                one.cotangents().values().forEach(pack::tensor);
                one.leaves().stream().map(TensorArgument::name).forEach(pack::tensor);
            });
        }
    }

    @Test
    void theRightAnswersPass() throws Exception {
        try (ParityPack pack = ParityPack.open(folder())) {
            ParityJudge judge = new ParityJudge(new PerfectSubject(), pack);
            ParityReport report =
                    ParityReport.of(pack.cases().stream().map(judge::judge).toList());
            assertEquals("parity: 3815 of 3815 cases, 513 of 513 ops whole", report.summary());
        }
    }

    /** A subject that returns PyTorch's answers. */
    private static final class PerfectSubject implements ParitySubject {
        @Override
        public boolean knows(String op) {
            return true;
        }

        @Override
        public ParityAnswer compute(ParityCase parityCase, ParityPack pack) {
            if (parityCase.isRefused()) {
                throw new OpException(parityCase.op(), "refused");
            }
            return new ParityAnswer(
                    parityCase.outputs().stream().map(pack::tensor).toList(),
                    parityCase.gradients().stream()
                            .map(name -> name.map(pack::tensor).map(tensor -> written(parityCase, tensor)))
                            .toList());
        }

        /** The pack has no right answer for sgn's gradient, which is zeros. */
        private static HostTensor written(ParityCase parityCase, HostTensor gradient) {
            return parityCase.op().equals("sgn")
                    ? HostTensor.ofBytes(gradient.dtype(), gradient.shape(), new byte[gradient.bytes().length])
                    : gradient;
        }

        @Override
        public void close() {}
    }
}
