package dev.outpost.examples;

/** Multiplies two matrices on a remote machine, and reads one number. */
public final class FirstTensor {
    private FirstTensor() {}

    public static void main(String[] args) {
        try (var machine = ExampleArguments.of(args).machine()) {
            var x = machine.randn(1000, 1000);
            var y = machine.randn(1000, 1000);
            System.out.println(x.matmul(y).relu().mean().item());
        }
    }
}
