package dev.outpost.provider.k8s.reason;

import dev.outpost.provider.k8s.reason.facts.JobFacts;
import dev.outpost.provider.k8s.reason.facts.ObservedMachine;
import dev.outpost.provider.k8s.reason.facts.PodFacts;
import dev.outpost.provider.k8s.reason.symptom.EndSymptom;
import dev.outpost.provider.k8s.reason.symptom.Finding;
import dev.outpost.provider.k8s.reason.symptom.SymptomOutcome;
import dev.outpost.provider.k8s.reason.text.LastLines;
import dev.outpost.provider.k8s.reason.text.Wording;
import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds out how a machine ended, or is about to end. */
final class EndReasons {
    /** The exit codes of an orderly end, and of the signals with which a kubelet ends a container. */
    private static final Set<Integer> CODES_OF_A_STOP = Set.of(0, 137, 143);

    /** The signals by exit code. A process that a signal ended has the exit code 128 plus the signal's number. */
    private static final Map<Integer, String> SIGNALS = Map.of(
            129, "SIGHUP",
            130, "SIGINT",
            131, "SIGQUIT",
            132, "SIGILL: illegal instruction",
            134, "SIGABRT: the JVM or a native library gave up",
            135, "SIGBUS: bus error",
            136, "SIGFPE: arithmetic error",
            137, "SIGKILL",
            139, "SIGSEGV: segmentation fault",
            143, "SIGTERM: told to stop");

    private static final int KILLED = 137;

    private EndReasons() {}

    /** Returns a finding if the Job's deadline has passed, after which the Job controller deletes the pod. */
    static Optional<Finding> deadline(ObservedMachine observed) {
        return observed.job()
                .map(JobFacts::new)
                .filter(job -> job.failure()
                        .filter(failure -> "DeadlineExceeded".equals(failure.getReason()))
                        .isPresent())
                .map(EndReasons::lifeOver);
    }

    private static Finding lifeOver(JobFacts job) {
        String length = job.deadline().map(time -> " of " + Wording.time(time)).orElse("");
        return job.isStated()
                ? EndSymptom.LIFE_OVER.found("the machine's stated life" + length + " is over")
                : EndSymptom.DEADLINE.found("the machine reached its maximum lifetime" + length);
    }

    static Optional<Finding> outOfMemory(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .filter(pod -> pod.ended()
                        .or(pod::endedBefore)
                        .filter(end -> "OOMKilled".equals(end.getReason()))
                        .isPresent())
                .map(pod ->
                        EndSymptom.OUT_OF_MEMORY.found("the machine was killed (OOMKilled): it took more memory than "
                                + memoryLimit(pod)
                                        .map(limit -> "its limit of " + limit)
                                        .orElse("its node had")));
    }

    private static Optional<Quantity> memoryLimit(PodFacts pod) {
        return pod.container()
                .map(container -> container.getResources())
                .map(resources -> resources.getLimits())
                .map(limits -> limits.get("memory"));
    }

    /** Returns a finding if the container was stopped because the pod or the Job was deleted. */
    static Optional<Finding> deleted(ObservedMachine observed) {
        boolean failedBefore = ended(observed)
                .filter(end -> !CODES_OF_A_STOP.contains(end.getExitCode()))
                .isPresent();
        boolean deleted = observed.pod()
                        .map(PodFacts::new)
                        .filter(PodFacts::isDeleted)
                        .isPresent()
                || observed.job().map(JobFacts::new).filter(JobFacts::isDeleted).isPresent();
        return deleted && !failedBefore ? Optional.of(taken(observed)) : Optional.empty();
    }

    /**
     * Returns the finding of a machine that was taken away. Kueue takes a machine away by suspending its Job. Otherwise the Job or the pod
     * was deleted.
     */
    static Finding taken(ObservedMachine observed) {
        Optional<JobFacts> job = observed.job().map(JobFacts::new);
        if (job.filter(JobFacts::isDeleted).isPresent()) {
            return EndSymptom.DELETED.found("the Job was deleted");
        }
        return job.filter(JobFacts::isSuspended)
                .map(suspended -> suspended(suspended, observed))
                .orElseGet(() -> EndSymptom.DELETED.found("the pod was deleted"));
    }

    private static Finding suspended(JobFacts job, ObservedMachine observed) {
        return job.queue()
                .map(queue -> EndSymptom.TAKEN_BACK.found("Kueue took its quota back" + eviction(observed, queue)))
                .orElseGet(() -> EndSymptom.SUSPENDED.found("the Job was suspended"));
    }

    private static String eviction(ObservedMachine observed, String queue) {
        return observed.diagnostics()
                .workload()
                .flatMap(workload -> new WorkloadReasons(
                                workload, queue, observed.diagnostics().queuePosition())
                        .eviction())
                .map(message -> ": " + message)
                .orElse("");
    }

    static Optional<Finding> exited(ObservedMachine observed) {
        return ended(observed).map(end -> exited(end, observed));
    }

    private static Finding exited(ContainerStateTerminated end, ObservedMachine observed) {
        String words = observed.diagnostics().logTail().isBlank()
                ? PodFacts.orEmpty(end.getMessage())
                : observed.diagnostics().logTail();
        String node = observed.pod().map(PodFacts::new).map(PodFacts::nodeName).orElse("");
        return DriverWords.in(words, node)
                .map(driver -> driver.followedBy(SymptomOutcome.ENDS))
                .orElseGet(() -> code(end.getExitCode(), words, observed));
    }

    private static Finding code(int code, String words, ObservedMachine observed) {
        if (code == 0) {
            return EndSymptom.FINISHED.found("the runtime ended by itself" + LastLines.quoted(words));
        }
        return SIGNALS.containsKey(code)
                ? signalled(code, words, observed)
                : EndSymptom.EXITED.found("the runtime ended with exit code " + code + LastLines.quoted(words));
    }

    /** Returns the finding of an end by a signal. It does not quote the log, because the last lines before a signal are not its cause. */
    private static Finding signalled(int code, String words, ObservedMachine observed) {
        String what = "the runtime was ended by a signal (exit code " + code + ", " + SIGNALS.get(code) + ")";
        return code == KILLED
                ? EndSymptom.KILLED.found(what + ", and the cluster does not say why"
                        + observed.pod()
                                .map(PodFacts::new)
                                .flatMap(EndReasons::memoryLimit)
                                .map(limit -> "; its memory limit is " + limit)
                                .orElse("")
                        + LastLines.ending(words))
                : EndSymptom.EXITED.found(what + LastLines.ending(words));
    }

    /** Returns a finding if the pod failed and no container shows the reason. */
    static Optional<Finding> podFailed(ObservedMachine observed) {
        return observed.pod()
                .map(PodFacts::new)
                .filter(pod -> pod.isPhase("Failed") || pod.isPhase("Succeeded"))
                .map(pod -> EndSymptom.POD_FAILED.found("the pod ended without a reason"
                        + (pod.reason().isEmpty() ? "" : ": " + pod.reason() + ": " + pod.message())));
    }

    private static Optional<ContainerStateTerminated> ended(ObservedMachine observed) {
        return observed.pod().map(PodFacts::new).flatMap(PodFacts::ended);
    }
}
