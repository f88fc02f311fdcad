package dev.outpost.examples;

/** Shows that views share their storage, as in PyTorch: a write through one is visible in all. */
public final class ViewsAndInPlace {
    private ViewsAndInPlace() {}

    public static void main(String[] args) {
        try (var machine = ExampleArguments.of(args).machine()) {
            var matrix = machine.arange(12).reshape(3, 4);
            var middleRow = matrix.select(0, 1);
            var transposed = matrix.transpose(0, 1);

            middleRow.zero_();
            transposed.select(0, 3).add_(100);

            System.out.println("the matrix, written to through two views of it:\n" + matrix.toHost());
            System.out.println("the row sees what the column wrote: " + middleRow.toHost());
        }
    }
}
