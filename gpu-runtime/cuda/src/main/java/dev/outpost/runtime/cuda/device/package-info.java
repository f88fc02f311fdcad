/** What the engine asks of a GPU and its libraries; who answers is another package's, or a test's. */
package dev.outpost.runtime.cuda.device;
