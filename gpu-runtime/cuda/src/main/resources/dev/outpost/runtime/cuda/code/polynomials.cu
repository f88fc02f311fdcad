// Helpers of functions that CUDA lacks or has with too few digits. They compute in double, as the runtime does in Java.

#define PI 3.141592653589793
#define COUNT(array) ((int) (sizeof(array) / sizeof(array[0])))

// A polynomial by Horner's scheme. The constant coefficient comes first.
FN f64 polynomial(f64 x, const f64 *coefficients, int count)
{
    f64 sum = coefficients[count - 1];
#pragma unroll
    for (int degree = count - 2; degree >= 0; degree--) {
        sum = coefficients[degree] + x * sum;
    }
    return sum;
}

#define POLYNOMIAL(x, array) polynomial(x, array, COUNT(array))
#define RATIO(x, above, below) (POLYNOMIAL(x, above) / POLYNOMIAL(x, below))

// A series of Chebyshev polynomials at t from -1 to 1, by Clenshaw's algorithm. The constant coefficient comes first.
FN f64 chebyshev(f64 t, const f64 *coefficients, int count)
{
    f64 last = 0;
    f64 before_last = 0;
    for (int degree = count - 1; degree > 0; degree--) {
        f64 next = 2 * t * last - before_last + coefficients[degree];
        before_last = last;
        last = next;
    }
    return t * last - before_last + coefficients[0];
}

#define CHEBYSHEV(t, array) chebyshev(t, array, COUNT(array))

#define SPECIAL(name, function) \
    FN f64 name##_f64(f64 x) { return function(x); } \
    FN f32 name##_f32(f32 x) { return (f32) function((f64) x); }

#define PAIR_SPECIAL(name, function) \
    FN f64 name##_f64(f64 x, f64 y) { return function(x, y); } \
    FN f32 name##_f32(f32 x, f32 y) { return (f32) function((f64) x, (f64) y); }
