/* cublasLt.h - cuBLASLt, of which the software GPU has the handle alone: for programs that include the header
 * and call cuBLAS. Also valid C.
 */
#ifndef CUBLASLT_H_
#define CUBLASLT_H_

#include "cublas_api.h"

typedef struct cublasLtContext *cublasLtHandle_t;

#ifdef __cplusplus
extern "C" {
#endif

cublasStatus_t cublasLtCreate(cublasLtHandle_t *handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
const char *cublasLtGetStatusName(cublasStatus_t status);
const char *cublasLtGetStatusString(cublasStatus_t status);

#ifdef __cplusplus
}
#endif

#endif
