/* cuda_gl_interop.h - for programs that include it and draw nothing: there is no screen. Its functions are
 * refused by name when they are linked.
 */
#ifndef __CUDA_GL_INTEROP_H__
#define __CUDA_GL_INTEROP_H__

#include "cuda_runtime_api.h"

#if defined(__has_include)
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
#endif
#ifndef GL_VERSION
typedef unsigned int GLenum, GLuint;
#endif

#endif
