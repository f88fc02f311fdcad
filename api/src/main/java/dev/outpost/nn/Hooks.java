package dev.outpost.nn;

import dev.outpost.Tensor;
import dev.outpost.Tracing;
import dev.outpost.autograd.CustomFunction;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.calls.ArgumentChecks;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The hooks of a module. Each list may change while it is iterated. */
final class Hooks {
    private final Module module;
    private final List<ForwardPreHook> before = new CopyOnWriteArrayList<>();
    private final List<ForwardHook> after = new CopyOnWriteArrayList<>();
    private final List<BackwardHook> backward = new CopyOnWriteArrayList<>();
    /** Changes whenever a hook is added or removed, so that a program traced with other hooks is traced again. */
    private final AtomicInteger version = new AtomicInteger();

    Hooks(Module module) {
        this.module = module;
    }

    Runnable add(ForwardPreHook hook) {
        return add(before, hook);
    }

    Runnable add(ForwardHook hook) {
        return add(after, hook);
    }

    Runnable addBackward(BackwardHook hook) {
        return add(backward, hook);
    }

    private <H> Runnable add(List<H> hooks, H hook) {
        hooks.add(ArgumentChecks.required(hook, "the hook"));
        version.incrementAndGet();
        return () -> {
            hooks.remove(hook);
            version.incrementAndGet();
        };
    }

    Tensor call(Tensor given) {
        Tracing.assume(this, version::get);
        Tensor input = given;
        for (ForwardPreHook hook : before) {
            Tensor other = hook.before(module, input);
            input = other == null ? input : other;
        }
        boolean isWatched = !backward.isEmpty() && GradMode.isEnabled() && input.requiresGrad();
        Tensor output = isWatched ? watched(input) : module.forward(input);
        for (ForwardHook hook : after) {
            Tensor other = hook.after(module, input, output);
            output = other == null ? output : other;
        }
        return output;
    }

    /**
     * Runs the module between two identity functions in autograd's graph, so that the hooks get only the gradient of this use of the input.
     */
    private Tensor watched(Tensor input) {
        Tensor[] outputGradient = new Tensor[1];
        Passing inner = new Passing(gradient -> {
            Tensor current = gradient;
            for (BackwardHook hook : backward) {
                Tensor other = outputGradient[0] == null ? null : hook.backward(module, current, outputGradient[0]);
                current = other == null ? current : other;
            }
            return current;
        });
        Passing outer = new Passing(gradient -> outputGradient[0] = gradient);
        return outer.apply(module.forward(inner.apply(input)[0]))[0];
    }

    /** Returns its input, and passes the gradient to a function. */
    private static final class Passing extends CustomFunction {
        private final UnaryOperator<Tensor> seen;

        Passing(UnaryOperator<Tensor> seen) {
            this.seen = seen;
        }

        @Override
        protected Tensor[] forward(Context context, Tensor... inputs) {
            return new Tensor[] {inputs[0].detach()};
        }

        @Override
        protected @Nullable Tensor[] backward(Context context, Tensor... gradients) {
            return new Tensor[] {gradients[0] == null ? null : seen.apply(gradients[0])};
        }
    }
}
