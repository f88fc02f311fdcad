package dev.outpost.nn;

/** How {@link Functional#interpolate} finds elements between those of its input. */
public enum InterpolationMode {
    /** The element whose cell begins before the place. */
    NEAREST,
    /** The element whose centre is nearest. */
    NEAREST_EXACT,
    /** Two neighbours along each dimension; for lines, images and volumes. */
    LINEAR,
    /** Four neighbours along each dimension, by cubic convolution; for images. */
    BICUBIC,
    /** The mean of what a place covers. */
    AREA
}
