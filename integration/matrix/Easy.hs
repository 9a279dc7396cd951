-- Network.Curl: URL BODY [LIMIT].
import Control.Monad (unless)
import qualified Data.ByteString as B
import Data.IORef
import Network.Curl
import System.Environment (getArgs)
import System.Exit
import System.IO

-- Prints bytes until there were LIMIT; says how many it took.
take' :: IORef Int -> WriteFunction
take' left buffer size count _ = do
  let total = fromIntegral (size * count)
  bytes <- B.packCStringLen (buffer, total)
  room <- readIORef left
  let taken = B.take room bytes
  B.putStr taken
  writeIORef left (room - B.length taken)
  return (if room == B.length taken then 0 else fromIntegral total)

main :: IO ()
main = do
  url : body : limit <- getArgs
  left <- newIORef (case limit of { [n] -> read n; _ -> maxBound })
  code <- withCurlDo $ do
    curl <- initialize
    _ <- setopt curl (CurlURL url)
    unless (null body) $ do
      _ <- setopt curl (CurlPostFields [body])
      return ()
    _ <- setopt curl (CurlWriteFunction (take' left))
    perform curl
  hFlush stdout
  exitWith (if code == CurlOK then ExitSuccess
            else ExitFailure (fromEnum code))
