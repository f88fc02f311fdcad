package dev.outpost.parity;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityOutcome;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ops.MachineSubject;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The answers of one engine to the whole pack, which are compared once for all tests.
 *
 * @param outcomes one for each case
 * @param knownOps the ops of the pack that exist
 */
record JudgedPack(List<ParityOutcome> outcomes, Set<String> knownOps) {
    private static final Map<String, JudgedPack> BY_ENGINE = new ConcurrentHashMap<>();

    static JudgedPack on(String engine) {
        return BY_ENGINE.computeIfAbsent(engine, JudgedPack::judge);
    }

    static Path resource(String name) {
        try {
            return Path.of(JudgedPack.class.getResource(name).toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static JudgedPack judge(String engine) {
        return judge(engine, "/parity/cases.jsonl");
    }

    /**
     * Judges a pack.
     *
     * @param cases the resource with its cases, beside which its tensors are
     */
    static JudgedPack judge(String engine, String cases) {
        MachineOptions options = new MachineOptions().option("engine", engine);
        try (ParityPack pack = ParityPack.open(resource(cases).getParent());
                MachineSubject subject = new MachineSubject(RemoteMachine.of("mock", "A100", options))) {
            ParityJudge judge = new ParityJudge(subject, pack);
            return new JudgedPack(
                    pack.cases().stream().map(judge::judge).toList(),
                    pack.cases().stream()
                            .map(ParityCase::op)
                            .filter(subject::knows)
                            .collect(Collectors.toSet()));
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
