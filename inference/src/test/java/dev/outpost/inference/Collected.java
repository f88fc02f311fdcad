package dev.outpost.inference;

import dev.outpost.inference.StepResult.TokenLogprobs;
import dev.outpost.support.tests.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Collects what a text becomes. */
class Collected implements TokenSink {
    private final List<Integer> tokens = new ArrayList<>();
    final List<TokenLogprobs> logprobs = new ArrayList<>();
    final CompletableFuture<Finish> finish = new CompletableFuture<>();

    @Override
    public synchronized boolean accept(int token, TokenLogprobs values) {
        tokens.add(token);
        logprobs.add(values);
        return true;
    }

    @Override
    public void finished(Finish how) {
        finish.complete(how);
    }

    @Override
    public void failed(RuntimeException failure) {
        finish.completeExceptionally(failure);
    }

    synchronized List<Integer> soFar() {
        return List.copyOf(tokens);
    }

    Finish end() throws Exception {
        return Await.result("the text is finished", finish);
    }

    int[] tokens() throws Exception {
        end();
        return soFar().stream().mapToInt(Integer::intValue).toArray();
    }
}
